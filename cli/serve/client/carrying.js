// Carrying a thing to a cell: with the mouse at once, with a finger after a long press.

import { el } from "./dom.js";

const HOLD = 350; // milliseconds of a press that lifts
const SLACK = 6; // pixels that a finger moves in a press, a mouse in a click

export class Carrying {
  /** @param {Camera} camera which is still meanwhile */
  constructor(camera) {
    this.camera = camera;
    this.lift = null; // returns what is carried from where the pointer is down
    this.thing = null; // what is carried
    this.over = null; // the element of the cell under the pointer
    this.moved = false; // whether the last press was no click: who lets go where he pressed, clicked
    const moves = { pointermove: "move", pointerup: "drop", pointercancel: "end", blur: "end" };
    for (const [name, work] of Object.entries(moves)) addEventListener(name, (event) => this[work](event));
    // A second finger puts it back.
    addEventListener("pointerdown", (event) => {
      this.end();
      if (event.isPrimary) this.moved = false;
    }, true);
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.thing) return;
      event.stopPropagation();
      this.end();
    }, true);
    // Neither scrolls the page nor opens its menu.
    const refuse = (event) => this.thing && event.preventDefault();
    addEventListener("touchmove", refuse, { passive: false });
    addEventListener("contextmenu", refuse);
    addEventListener("click", (event) => {
      if (!this.moved || !event.detail) return; // keys click too
      event.stopPropagation();
      event.preventDefault();
    }, true);
  }

  /**
   * A pointer is down on what may be carried.
   * @param {function(): object} lift returns `art` (its picture), `size` in pixels, `from` (the
   *   element that it leaves, or null) and `drop(spot, event)`, called over the element of a cell
   */
  press(event, lift) {
    if (event.button || !event.isPrimary) return;
    this.lift = lift;
    this.start = event;
    this.touched = event.pointerType === "touch";
    if (this.touched) this.timer = setTimeout(() => this.begin(event), HOLD);
    else this.camera.still = true;
  }

  begin({ clientX, clientY }) {
    this.thing = this.lift();
    this.camera.still = true;
    this.thing.from?.classList.add("left");
    this.node = el("div", { class: "carried", "aria-hidden": "true" }, this.thing.art);
    this.node.style.width = `${this.thing.size}px`;
    document.body.append(this.node);
    this.place(clientX, clientY);
  }

  move(event) {
    if (!this.lift || event.pointerId !== this.start.pointerId) return;
    const { clientX, clientY } = event;
    if (!this.moved && Math.hypot(clientX - this.start.clientX, clientY - this.start.clientY) < SLACK) return;
    this.moved = Boolean(this.thing) || !this.touched;
    if (!this.moved) this.end();
    else if (!this.thing) this.begin(event);
    if (this.thing) this.place(clientX, clientY);
  }

  place(x, y) {
    this.node.style.transform = `translate(${x}px, ${y}px) translate(-50%, ${this.touched ? "-90%" : "-50%"})`;
    const over = document.elementFromPoint(x, y)?.closest(".spot") ?? null;
    if (over === this.over) return;
    this.over?.classList.remove("aimed");
    over?.classList.add("aimed");
    this.over = over;
  }

  drop(event) {
    const { thing, over } = this;
    this.end();
    if (thing && over && this.moved) thing.drop(over, event);
  }

  /** Put back what is carried. */
  end() {
    clearTimeout(this.timer);
    if (this.lift) this.camera.still = false;
    this.over?.classList.remove("aimed");
    this.thing?.from?.classList.remove("left");
    this.node?.remove();
    [this.lift, this.thing, this.over] = [null, null, null];
  }
}
