// Positions opened, pasted, saved and begun: they come and go as texts that the browser keeps.

import { get, post } from "./api.js";
import { button, choice, copied, download, el, field, fileName, fill } from "./dom.js";
import { isGame } from "./lines.js";
import { passLink, toSite } from "./links.js";
import { aloneHere } from "./router.js";
import { drawing, passOn, savePicture } from "./snapshots.js";
import { boxes } from "./switches.js";
import { t } from "./texts.js";
import { refused } from "./told.js";


export class Files {
  /**
   * @param {Session} session where positions that are opened go
   * @param {function(string): void} say tells the user
   * @param {function(string): void} game takes the text of a record or saved game
   * @param {function(): void} begun is called when a new position is there
   */
  constructor(session, say, game, begun) {
    this.begun = begun;
    this.session = session;
    this.say = say;
    this.game = game;
    this.begin = { game: "castle", way: "shuffled", players: "2", edition: "today" };
    this.file = el("section", { class: "part file" });
    this.fresh = el("section", { class: "part fresh" });
    this.root = el("div", { class: "files" }, this.file, this.fresh);
    this.drawFile();
  }

  /** Offer the games that can be begun. */
  async open() {
    if (this.games) return;
    this.games = await get("/api/games");
    this.drawFresh();
  }

  /** Pass on a link to a published copy or the address of the position; its line where the address works here alone. */
  async share() {
    const { line, position, view } = this.session;
    if (toSite()) {
      try {
        await passLink((await post("/api/links", { position })).url, view.title || "Burgrave", this.say, "copied");
      } catch (error) {
        fill(this.fileSaid, refused(error));
      }
      return;
    }
    if (!line) {
      this.say(t("noLine"));
      return;
    }
    if (aloneHere()) {
      this.say(t(await copied(view.line) ? "lineCopied" : "copyLine", { url: view.line }));
      return;
    }
    await passLink(location.href, view.title || "Burgrave", this.say, "copied");
  }

  drawFile() {
    const text = el("textarea", { rows: 4, spellcheck: false });
    this.fileSaid = el("div", { "aria-live": "polite" });
    const open = async (content) => {
      try {
        if (isGame(content)) {
          await post("/api/record", { text: content });
          this.game(content);
          return;
        }
        const { position } = await post("/api/read", { text: content, position: this.session.position });
        await this.session.set(position);
        fill(this.fileSaid, el("p", { class: "good" }, t("read")));
        this.say(t("undoBrings"));
      } catch (error) {
        fill(this.fileSaid, refused(error));
      }
    };
    const file = el("input", {
      type: "file", accept: ".toml,.json,.jcz",
      on: {
        change: async (event) => {
          const [chosen] = event.target.files;
          if (chosen) await open(await chosen.text());
          event.target.value = "";
        },
      },
    });
    fill(
      this.file,
      el("h3", {}, t("files")),
      el("div", { class: "bar" },
        button(t("share"), () => this.share(), { class: "main" }),
        button(t("saveAs", { format: "TOML" }), () => this.save("toml")),
        button(t("saveAs", { format: "JSON" }), () => this.save("json"))),
      el("div", { class: "bar" },
        button(t("picture", { format: "PNG" }), () => this.picture("png")),
        button(t("picture", { format: "SVG" }), () => this.picture("svg"))),
      field(t("openFile"), file),
      field(t("paste"), text),
      el("div", { class: "bar" }, button(t("readText"), () => open(text.value))),
      this.fileSaid,
    );
  }

  async save(format) {
    try {
      const { text } = await post("/api/write", { position: this.session.position, format });
      download(`${fileName(this.session.position.title || "position")}.${format}`, text);
    } catch (error) {
      fill(this.fileSaid, refused(error));
    }
  }

  /** Save the position as a picture, or hand it to another program where the browser can. */
  async picture(format) {
    const { position } = this.session;
    const name = fileName(position.title || "position");
    try {
      const svg = await drawing(position, document.documentElement.dataset.theme);
      if (format === "svg" || !await passOn(name, svg, position.title ?? "")) await savePicture(name, svg, format);
    } catch (error) {
      fill(this.fileSaid, refused(error));
    }
  }

  drawFresh() {
    const { begin } = this;
    const game = this.games.games.find(({ id }) => id === begin.game);
    const pick = (label, key, options) => field(label, choice(options, begin[key], (value) => {
      begin[key] = value;
      this.drawFresh();
    }));
    const most = [2, 3, 4, 5, 6].map((number) => [String(number), String(number)]);
    fill(
      this.fresh,
      el("h3", {}, t("newPosition")),
      el("div", { class: "fields" },
        pick(t("game"), "game", this.games.games.map(({ id, title }) => [id, title])),
        pick(t("tilesToCome"), "way", ["shuffled", "unknown", "empty"].map((way) => [way, t(`way_${way}`)])),
        game.plane ? pick(t("howMany"), "players", most) : null,
        game.plane ? boxes(this.games.editions, begin.edition, (edition) => {
          begin.edition = edition;
          this.drawFresh();
        }) : null,
      ),
      el("div", { class: "bar" }, button(t("make"), () => this.make(game))),
    );
  }

  async make(game) {
    const { begin } = this;
    const asked = { game: begin.game, unknown: begin.way !== "shuffled" };
    if (game.plane) Object.assign(asked, { players: Number(begin.players), edition: begin.edition });
    const { position } = await post("/api/new", asked);
    if (begin.way === "empty") {
      delete position.towers;
      delete position.title;
    }
    await this.session.set(position);
    this.begun();
    this.say(t("undoBrings"));
  }
}
