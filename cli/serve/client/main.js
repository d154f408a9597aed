// The page: one board, and views of which each has a panel, a session and an address.

import { get, post } from "./api.js";
import { Board } from "./board.js";
import { el, fill } from "./dom.js";
import { isGame } from "./lines.js";
import { learnSite } from "./links.js";
import { address, here, listen, write } from "./router.js";
import { keep, kept } from "./store.js";
import { Strip } from "./strip.js";
import { t } from "./texts.js";
import { speakOf } from "./told.js";
import { allViews } from "./views.js";

const TYPED = "input, textarea";
const PAUSE = 1500; // milliseconds between two looks whether the solver is ready
const MOST_TITLE = 64; // letters of the title of a set

const $ = (id) => document.getElementById(id);

function say(text) {
  $("status").textContent = text;
}

/** Dark or light: as the system wants it unless the button says otherwise. */
function dress() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => kept("theme") ?? (system.matches ? "dark" : "light");
  const show = () => {
    document.documentElement.dataset.theme = chosen();
    const label = t(chosen() === "dark" ? "themeLight" : "themeDark");
    $("theme").textContent = chosen() === "dark" ? "☀" : "☾";
    $("theme").title = label;
    $("theme").setAttribute("aria-label", label);
  };
  $("theme").addEventListener("click", () => {
    keep("theme", chosen() === "dark" ? "light" : "dark");
    show();
  });
  system.addEventListener("change", show);
  show();
}

/**
 * A view has `session`, `parts` (pairs of id and element, shown one at a time), `head` and `foot`
 * (elements, shown always), `handler` (what the board does), `enter(rest)` (the address names it),
 * `refresh()` (its position is another), `idle` (nothing leads to it), `rest` (its part of the address), and `back` (how many
 * steps an undo takes). `aside()` ends what goes on when another view comes.
 */
class Page {
  constructor() {
    this.board = new Board($("stage"));
    this.board.art = (id) => this.now.session.tiles?.byId.get(id)?.svg;
    this.strip = new Strip();
    const common = {
      board: this.board,
      say,
      strip: this.strip,
      show: (part) => this.part(part),
      begun: () => this.part(this.now.parts[0][0]),
      go: (rest) => this.go(rest),
      game: (text, asked) => this.review(text, asked),
      puzzles: (title, text) => this.train(title, text),
      note: () => this.write({ replace: true }),
      open: (view, part) => this.start(view, part),
      trial: (notation) => { this.views.play.view.trying = notation; },
    };
    const { table, views } = allViews(common);
    this.table = table; // null where there is no position of the user's own
    this.views = views;
    const sessions = new Set(Object.values(this.views).map(({ view }) => view.session));
    for (const session of sessions) session.addEventListener("change", () => this.changed(session));
    this.name = null;
    this.open = new Map(); // the part of each view that is shown
    this.visiting = 0; // addresses that are being read, so that none is to be written
    this.watch();
    this.follow();
    this.names();
    if (this.table) this.drops();
    $("undo").addEventListener("click", () => this.undo());
    $("redo").addEventListener("click", () => this.now.session.redo());
    for (const [id, key] of [["undo", "undo"], ["redo", "redo"]]) {
      $(id).title = t(key);
      $(id).setAttribute("aria-label", t(key));
      $(id).hidden = !this.table;
    }
    addEventListener("keydown", (event) => this.key(event));
    listen((to) => this.visit(to));
    addEventListener("beforeunload", (event) => {
      if (this.table && !this.table.safe && this.table.past.length) event.preventDefault();
    });
  }

  /** Cells that the panel names light up on the board while they are pointed at, or once tapped. */
  names() {
    const at = ({ target }) => target.closest?.("[data-at]")?.dataset.at ?? null;
    $("panel").addEventListener("pointerover", (event) => this.board.speakOf(at(event)));
    $("panel").addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.board.speakOf(null));
  }

  get now() {
    return this.views[this.name].view;
  }

  /** Return the name of a view: the one that is asked for, or else the first. */
  named(view) {
    return view in this.views ? view : Object.keys(this.views)[0];
  }

  /** Open what an address names. */
  async visit({ view, rest }) {
    const name = this.named(view);
    this.visiting += 1;
    try {
      if (name !== this.name) this.enter(name);
      await this.now.enter?.(rest);
    } catch (error) {
      say(t("badAddress", { message: error.message }));
    } finally {
      this.visiting -= 1;
    }
    this.write({ replace: true });
  }

  /** Open a game with a slider over its turns; let it be reviewed if that is asked. */
  review(text, asked = false) {
    this.views.review.view.await(text, asked);
    location.hash = address("review", "0");
  }

  /** Open a file of puzzles in the trainer. */
  async train(title, text) {
    const { id } = await post("/api/sets", { title: title.slice(0, MOST_TITLE), text });
    location.hash = address("train", id);
  }

  /** What is dropped anywhere is opened: a game, a position, puzzles, or a link to a game. */
  drops() {
    const held = ({ dataTransfer }) => dataTransfer && ["Files", "text/plain"].some((type) => dataTransfer.types.includes(type));
    addEventListener("dragover", (event) => held(event) && !event.target.closest?.(TYPED) && event.preventDefault());
    addEventListener("drop", async (event) => {
      if (!held(event) || event.target.closest?.(TYPED)) return;
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      const text = file ? null : event.dataTransfer.getData("text/plain");
      try {
        await this.take(file ? await file.text() : text, file?.name ?? "");
      } catch (error) {
        say(error.message);
      }
    });
  }

  async take(text, name) {
    if (/\.jsonl$/i.test(name)) return this.train(name.replace(/\.jsonl$/i, ""), text);
    if (!isGame(text)) {
      const { position } = await post("/api/read", { text, position: this.table.position });
      await this.table.set(position);
      location.hash = address("play");
      return undefined;
    }
    await post("/api/record", { text });
    return this.review(text);
  }

  /** Open a part of a view. */
  start(view, part) {
    this.enter(view);
    this.part(part);
    write(view, this.now.rest ?? ""); // also while the page begins, which would go back else
    this.drawViews();
  }

  /** Go to another place of the view at hand. */
  go(rest) {
    write(this.name, rest);
  }

  write(options) {
    const rest = this.now.rest ?? "";
    if (!this.visiting) write(this.name, rest, options);
    this.drawViews();
  }

  enter(name) {
    const before = this.name && this.now.session;
    if (this.name) this.now.aside?.();
    this.name = name;
    this.drawViews();
    const { view } = this.views[name];
    document.body.dataset.view = name;
    fill($("head"), view.head);
    fill($("foot"), view.foot);
    this.board.handler = view.handler;
    this.board.values();
    this.strip.forget();
    if (view.session !== before) this.board.camera.whole(); // it is another board
    this.part(this.open.get(name) ?? view.parts[0][0]);
    if (view.session.view) this.changed(view.session);
  }

  drawViews() {
    const shown = Object.entries(this.views).filter(([name, { view }]) => !view.idle || name === this.name);
    fill($("views"), shown.map(([name, { title, view }]) =>
      el("a", {
        id: `tab-${name}`,
        href: address(name, name === this.name ? view.rest ?? "" : ""),
        "aria-current": name === this.name ? "page" : null,
      }, title)));
  }

  /** Show a part of the view at hand in the panel. */
  part(id) {
    const { parts } = this.now;
    if (this.open.get(this.name) !== id) say("");
    this.open.set(this.name, id);
    const focused = $("tabs").contains(document.activeElement);
    $("tabs").hidden = parts.length < 2;
    fill($("tabs"), parts.map(([name]) => el("button", {
      type: "button",
      role: "tab",
      id: `part-${name}`,
      "aria-selected": String(name === id),
      "aria-controls": "body",
      tabIndex: name === id ? 0 : -1,
      on: { click: () => this.part(name) },
    }, t(`part_${name}`))));
    $("tabs").onkeydown = (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const names = parts.map(([name]) => name);
      this.part(names[(names.indexOf(id) + step + names.length) % names.length]);
    };
    if (focused) $(`part-${id}`).focus();
    $("panel").dataset.part = id;
    if (parts.length > 1) $("body").setAttribute("aria-labelledby", `part-${id}`);
    else $("body").removeAttribute("aria-labelledby");
    const [, root] = parts.find(([name]) => name === id);
    if ($("body").firstElementChild !== root) {
      fill($("body"), root);
      $("body").scrollTop = 0;
    }
    this.now.shown?.(id);
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

  /** Keys go on where they were when what had the focus is drawn anew; else in the panel. */
  follow() {
    let last = null;
    addEventListener("focusin", ({ target }) => { last = target.closest("#views, #panel") ? target : null; });
    // Who left it by himself is not brought back.
    addEventListener("focusout", ({ target }) => setTimeout(() => {
      if (target === last && target.isConnected) last = null;
    }));
    new MutationObserver(() => {
      if (!last || last.isConnected || document.activeElement !== document.body) return;
      const { tagName, textContent } = last;
      last = null;
      const alike = [...document.querySelectorAll(`:is(#views, #panel) ${tagName}`)]
        .find((one) => one.textContent === textContent);
      (alike ?? $("body")).focus({ preventScroll: true });
    }).observe(document.body, { childList: true, subtree: true });
  }

  /** Draw the position of a session if it is the one on the board. */
  changed(session) {
    if (session !== this.now.session) return;
    if (this.pressed) {
      this.late = session;
      return;
    }
    const { view, past, future } = session;
    speakOf(session.tiles?.byId ?? null);
    if (view.svg) this.board.show(view.svg, t("boardOf", { title: view.title || view.game }));
    $("undo").disabled = !past.length;
    $("redo").disabled = !future.length;
    document.title = view.title ? `${view.title} · Burgrave` : "Burgrave";
    this.strip.draw(view);
    this.write();
    this.now.refresh();
  }

  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.target.closest("input, textarea, select")) return;
    const steps = { z: event.shiftKey ? "redo" : "undo", y: "redo" };
    const step = steps[event.key.toLowerCase()];
    if (!step) return;
    event.preventDefault();
    if (step === "undo") this.undo();
    else this.now.session.redo();
  }

  /** Go a step back; in a game that is played, to the last turn of a person. */
  undo() {
    return this.now.session.undo(this.now.back ?? 1);
  }
}

async function begin() {
  dress();
  const page = new Page();
  const asked = here();
  page.visiting += 1;
  page.enter(page.named(asked.view));
  const { position, set, named, site = null } = await get("/api/start");
  learnSite(site);
  const to = here(); // who did not wait may have gone on
  // The program was started with puzzles.
  if (set && !to.view) {
    to.view = "train";
    to.rest = set;
    page.enter("train");
  } else if (named && !to.view && page.table) {
    to.view = "play";
    page.enter("play");
  }
  const onTable = page.now.session === page.table;
  const restored = page.table?.restore(position, onTable ? to.rest : "");
  if (onTable) await restored.catch((error) => say(t("badAddress", { message: error.message })));
  page.visiting -= 1;
  const now = here().view && here().view !== to.view ? here() : to;
  await page.visit(onTable ? { ...now, rest: "" } : now);
}

/** Say so while code is compiled, once for a machine, and when that is done. */
async function prepared() {
  let told = false;
  for (;;) {
    const { ready, stage } = await get("/api/ready");
    if (ready) break;
    if (!told && stage.includes("compil")) say(t("compiling"));
    told ||= stage.includes("compil");
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
  if (told) say(t("compiled"));
}

addEventListener("unhandledrejection", (event) => {
  const told = event.reason?.message ?? event.reason;
  say(event.reason?.status === 0 ? told : t("broken", { message: told }));
});

begin().then(() => prepared().catch(() => {})); // a copy without a server has nothing to prepare
