// What of the picture is seen: fitted to its stage, enlarged by wheel, pinch or button, and moved.

const MOST = 6; // times the size at which the whole picture fits
const LARGEST = 2.4; // pixels of a unit of the picture, where that is more
const STEP = 1.4; // of a button
const SLACK = 6; // pixels that a finger moves in a tap
const READABLE = 30; // pixels of a cell that need no enlargement
const LARGE = 64; // pixels up to which cells are enlarged by themselves
const WORTHWHILE = 1.25; // times larger, or all of the picture is worth more
const CLOSE = matchMedia("(pointer: coarse)").matches ? 120 : 72; // pixels of a tile that is looked at closely
const NEAR = 0.8; // of it: a tile of this size is large enough
const TOOL = 44; // pixels of the tools of a phone: a row above the board, or a column at each side
const WHOLE = 0.96; // pixels of a unit of the picture at most, where all of it is seen

export class Camera {
  /**
   * @param {HTMLElement} room what holds the stage and the tools
   * @param {HTMLElement} stage what is looked through
   * @param {HTMLElement} frame what is looked at, placed within the stage
   */
  constructor(room, stage, frame) {
    this.room = room;
    this.stage = stage;
    this.frame = frame;
    this.extent = [0, 0, 100, 100]; // of the picture: left, top, width, height
    this.zoom = 1;
    this.centre = null; // in units of the picture; null for its middle
    this.own = false; // whether the user chose what is seen
    this.before = null; // what was seen before a tile was looked at closely
    this.pointers = new Map();
    this.dragged = false;
    this.still = false; // whether a drag means something else
    const resized = new ResizeObserver(() => {
      this.makeRoom();
      this.place();
    });
    for (const one of [stage, room]) resized.observe(one);
    this.listen();
  }

  /** Pixels of a unit of the picture when all of it is seen. */
  get fitting() {
    const [, , width, height] = this.extent;
    return Math.min(this.stage.clientWidth / width, this.stage.clientHeight / height, WHOLE);
  }

  get scale() {
    return this.fitting * this.zoom;
  }

  /** Look at a picture of another extent; what is in the middle stays there. */
  show(extent) {
    this.extent = extent;
    this.makeRoom();
    this.place();
  }

  /** Tell where the tools of a phone leave more of the board: above it, or beside it. */
  makeRoom() {
    const { clientWidth, clientHeight } = this.room;
    const [, , width, height] = this.extent;
    const above = Math.min(clientWidth / width, (clientHeight - TOOL) / height);
    const beside = Math.min((clientWidth - 2 * TOOL) / width, clientHeight / height);
    this.room.classList.toggle("beside", beside > above);
  }

  /** See all of it; if the user wants it, nothing is enlarged by itself. */
  whole(own = false) {
    this.before = null;
    this.zoom = 1;
    this.centre = null;
    this.own = own;
    this.place();
  }

  /** See a part larger if cells would be too small to read; what the user chose stays. */
  attend([left, top, width, height], unit) {
    if (this.own || this.before) return;
    this.zoom = 1;
    this.centre = null;
    if (this.fitting * unit < READABLE) {
      const room = Math.min(this.stage.clientWidth / width, this.stage.clientHeight / height);
      const wanted = Math.min(room, LARGE / unit) / this.fitting;
      if (wanted > WORTHWHILE) {
        this.zoom = Math.min(MOST, wanted);
        this.centre = [left + width / 2, top + height / 2];
      }
    }
    this.place();
  }

  /** See a part so large that places on it can be told apart; null goes back to what was seen. */
  closeUp(part) {
    if (!part) {
      if (this.before) Object.assign(this, this.before);
      this.before = null;
      this.place();
      return;
    }
    const [left, top, width, height] = part;
    if (this.scale * width < NEAR * CLOSE) {
      const { zoom, centre, own } = this;
      this.before ??= { zoom, centre, own };
      this.zoom = CLOSE / width / this.fitting;
      this.centre = [left + width / 2, top + height / 2];
      this.place();
    } else this.reveal(part);
  }

  /** Move as little as brings a part into view. */
  reveal([left, top, width, height]) {
    if (this.zoom === 1) return;
    const { scale } = this;
    const half = [this.stage.clientWidth / scale / 2, this.stage.clientHeight / scale / 2];
    const low = [left + width - half[0], top + height - half[1]];
    const high = [left + half[0], top + half[1]];
    const now = this.middle;
    this.centre = now.map((value, axis) =>
      Math.min(Math.max(value, Math.min(low[axis], high[axis])), Math.max(low[axis], high[axis])));
    this.place();
  }

  get middle() {
    const [left, top, width, height] = this.extent;
    return this.centre ?? [left + width / 2, top + height / 2];
  }

  step(sign) {
    this.magnify(STEP ** sign);
  }

  /** Enlarge about a point of the stage; without one, about what is in its middle. */
  magnify(factor, at = null) {
    const before = this.scale;
    this.before = null;
    this.zoom = Math.min(Math.max(MOST, LARGEST / this.fitting), Math.max(1, this.zoom * factor));
    this.own = this.zoom > 1;
    if (this.zoom === 1) this.centre = null;
    else {
      const away = at ?? [this.stage.clientWidth / 2, this.stage.clientHeight / 2];
      const from = [away[0] - this.stage.clientWidth / 2, away[1] - this.stage.clientHeight / 2];
      const now = this.middle;
      this.centre = now.map((value, axis) => value + from[axis] / before - from[axis] / this.scale);
    }
    this.place();
  }

  pan(dx, dy) {
    const [x, y] = this.middle;
    this.centre = [x - dx / this.scale, y - dy / this.scale];
    this.own = true;
    this.place();
  }

  place() {
    const { scale } = this;
    const [left, top, width, height] = this.extent;
    const sizes = [width * scale, height * scale];
    const rooms = [this.stage.clientWidth, this.stage.clientHeight];
    const starts = [left, top];
    const centre = this.middle;
    const at = sizes.map((size, axis) => {
      const room = rooms[axis];
      if (size <= room + 0.5) return (room - size) / 2;
      return Math.min(0, Math.max(room - size, room / 2 - (centre[axis] - starts[axis]) * scale));
    });
    if (this.centre) {
      this.centre = centre.map((value, axis) =>
        (sizes[axis] <= rooms[axis] + 0.5 ? value : (rooms[axis] / 2 - at[axis]) / scale + starts[axis]));
    }
    const { style } = this.frame;
    [style.left, style.top] = at.map((value) => `${value}px`);
    [style.width, style.height] = sizes.map((value) => `${value}px`);
  }

  point(event) {
    const { left, top } = this.stage.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  listen() {
    const { stage, pointers } = this;
    stage.addEventListener("wheel", (event) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      this.magnify(1.0015 ** -event.deltaY, this.point(event));
    }, { passive: false });
    // Else the browser takes a quick stroke for a fling, and the tap that follows for its end.
    stage.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });
    stage.addEventListener("pointerdown", (event) => {
      if (event.button > 0 || event.target.closest("button")) return;
      if (!pointers.size) this.dragged = false;
      pointers.set(event.pointerId, this.point(event));
    });
    stage.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = this.point(event);
      if (pointers.size === 1) this.slide(event, before, now);
      else this.pinch(event.pointerId, before, now);
    });
    const gone = (event) => pointers.delete(event.pointerId);
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, gone);
    // What was moved was not meant.
    stage.addEventListener("click", (event) => {
      if (!this.dragged) return;
      event.stopPropagation();
      event.preventDefault();
      this.dragged = false;
    }, true);
  }

  slide(event, before, now) {
    const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
    if (!this.dragged && Math.hypot(dx, dy) < SLACK) return;
    if (this.zoom === 1 || this.still) return;
    this.dragged = true;
    this.stage.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, now);
    this.pan(dx, dy);
  }

  pinch(id, before, now) {
    const [other] = [...this.pointers].filter(([key]) => key !== id).map(([, at]) => at);
    const apart = (one) => Math.hypot(one[0] - other[0], one[1] - other[1]);
    this.dragged = true;
    this.pointers.set(id, now);
    const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
    if (apart(before) > 1) this.magnify(apart(now) / apart(before), middle);
    if (this.zoom > 1) this.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
  }
}
