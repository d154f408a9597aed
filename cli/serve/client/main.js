// The page: one board, three ways to work at it.

import { get } from "./api.js";
import { Ask } from "./ask.js";
import { Board } from "./board.js";
import { el, fill } from "./dom.js";
import { Editor } from "./editor.js";
import { Session } from "./session.js";
import { t } from "./texts.js";
import { Trainer } from "./trainer.js";

const $ = (id) => document.getElementById(id);
const THEME = "burgrave.theme";

function say(text) {
  $("status").textContent = text;
}

/** Dark or light: as the system wants it unless the button says otherwise. */
function dress() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem(THEME) ?? (system.matches ? "dark" : "light");
  const show = () => {
    document.documentElement.dataset.theme = chosen();
    $("theme").textContent = t(chosen() === "dark" ? "themeLight" : "themeDark");
  };
  $("theme").addEventListener("click", () => {
    localStorage.setItem(THEME, chosen() === "dark" ? "light" : "dark");
    show();
  });
  system.addEventListener("change", show);
  show();
}

class Page {
  constructor() {
    this.board = new Board($("stage"));
    const table = new Session();
    const training = new Session();
    this.modes = {
      ask: { title: t("pageAsk"), session: table, view: new Ask(table, this.board, say) },
      edit: { title: t("pageEdit"), session: table, view: new Editor(table, this.board, say) },
      train: { title: t("pageTrain"), session: training, view: new Trainer(training, this.board, say) },
    };
    for (const session of [table, training]) session.addEventListener("change", () => this.changed(session));
    this.mode = "ask";
    this.watch();
    this.tabs();
    addEventListener("keydown", (event) => this.key(event));
  }

  tabs() {
    const tabs = Object.entries(this.modes).map(([name, mode]) =>
      el(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-selected": String(name === this.mode),
          "aria-controls": "panel",
          tabIndex: name === this.mode ? 0 : -1,
          on: { click: () => this.open(name) },
        },
        mode.title,
      ),
    );
    fill($("tabs"), tabs);
    $("tabs").onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const names = Object.keys(this.modes);
      this.open(names[(names.indexOf(this.mode) + step + names.length) % names.length]);
      $(`tab-${this.mode}`).focus();
    };
    $("panel").setAttribute("aria-labelledby", `tab-${this.mode}`);
  }

  get now() {
    return this.modes[this.mode];
  }

  open(name) {
    this.mode = name;
    this.tabs();
    fill($("panel"), this.now.view.root);
    this.board.handler = this.now.view.handler;
    this.now.view.open?.();
    if (this.now.session.view) this.changed(this.now.session);
  }

  /** Nothing is drawn anew under a finger or button that is down: its click would be lost. */
  watch() {
    this.pressed = false;
    this.late = null;
    addEventListener("pointerdown", () => { this.pressed = true; }, true);
    const released = () => setTimeout(() => {
      this.pressed = false;
      const { late } = this;
      this.late = null;
      if (late) this.changed(late);
    });
    for (const event of ["pointerup", "pointercancel"]) addEventListener(event, released, true);
  }

  /** Draw the position of a session if it is the one on the board. */
  changed(session) {
    if (session !== this.now.session) return;
    if (this.pressed) {
      this.late = session;
      return;
    }
    const { view } = session;
    if (view.svg) this.board.show(view.svg, t("boardOf", { title: view.title || view.game }));
    if (view.about) $("about").textContent = view.about.join(" ");
    this.now.view.refresh();
  }

  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea, select")) return;
    const steps = { z: event.shiftKey ? "redo" : "undo", y: "redo" };
    const step = steps[event.key.toLowerCase()];
    if (!step) return;
    event.preventDefault();
    this.now.session[step]();
  }
}

async function begin() {
  dress();
  const page = new Page();
  page.open("ask");
  const { position } = await get("/api/start");
  await page.modes.ask.session.set(position, { beginning: true });
}

addEventListener("unhandledrejection", (event) => {
  const unreachable = event.reason instanceof TypeError;
  say(unreachable ? t("unreachable") : t("broken", { message: event.reason?.message ?? event.reason }));
});

begin();
