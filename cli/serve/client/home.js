// The first screen: what this is, what can be done here, and what the pictures mean.

import { el, fill } from "./dom.js";
import { pawn } from "./pawns.js";
import { address } from "./router.js";
import { t } from "./texts.js";

const KEY = [["knight", "keyStanding"], ["monk", "keyRobed"], ["farmer", "keyLying"]];
const SIGNS = ["legal", "last", "wrong"];

export class Home {
  /**
   * @param {Session} session whose board is seen beside it
   * @param {function(string, string): void} open opens a part of a view
   */
  constructor(session, { board, open }) {
    this.session = session;
    this.board = board;
    this.handler = {};
    const way = (key, href, props = {}) => el("li", {}, el("a", { class: "way", href, ...props },
      el("strong", {}, t(`way_${key}`)), el("span", { class: "faint" }, t(`aboutWay_${key}`))));
    const play = (event) => {
      event.preventDefault();
      open("play", "game");
    };
    this.root = el("div", { class: "home" },
      el("h2", {}, "Burgrave"),
      el("p", {}, t("whatThisIs")),
      el("ul", { class: "ways" },
        way("daily", address("train", "daily")),
        way("play", address("play"), { on: { click: play } }),
        way("edit", address("edit")),
        way("rules", address("rules")),
        way("review", address("review"))),
      el("h3", {}, t("keyToPictures")),
      el("ul", { class: "legend" },
        KEY.map(([role, key]) => el("li", {}, el("i", { class: "stand red picked" }, pawn("follower", role)), t(key))),
        SIGNS.map((mark) => el("li", {}, el("i", { class: `swatch ${mark}` }), t(`key_${mark}`)))));
    this.parts = [["home", this.root]];
    this.head = null;
    this.foot = null;
  }

  get rest() {
    return "";
  }

  refresh() {
    this.board.ghost(null);
    this.board.mark({});
    this.board.values();
  }
}
