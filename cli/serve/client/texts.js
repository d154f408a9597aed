// Every English text of the page. To translate it, replace this file.

const TEXTS = {
  // The frame of the page
  pageAsk: "Ask",
  pageEdit: "Board editor",
  pageTrain: "Trainer",
  themeDark: "Dark",
  themeLight: "Light",
  board: "Board",
  boardOf: "Board: {title}",
  position: "Position",
  zoomIn: "Larger board",
  zoomOut: "Smaller board",
  broken: "Something went wrong: {message}",
  unreachable: "The page's server does not answer. Is burgrave serve still running?",

  // Cells
  mark_legal: "legal place",
  mark_chosen: "chosen",
  mark_wrong: "a rule is broken here",
  mark_problem: "a problem",

  // Players and features
  players: "What the players have",
  toMove: "to move",
  have_score: "Score",
  have_supply: "Followers",
  have_keep: "Keep",
  have_tokens: "Tokens",
  have_pieces: "Tower pieces",
  have_wall_tiles: "Wall tiles",
  have_prisoners: "Prisoners",
  features: "{count} features on the board",
  finalScoring: "Final scoring",
  nothingHappens: "Nothing is scored.",

  // Laying a tile
  laysTile: "{player} lays {tile}",
  tileDrawn: "The tile drawn",
  discardedFirst: "Tiles without a place before it: {tiles}",
  legalPlaces: "{count} cells can take it. Arrow keys move, Enter chooses, R or the wheel turns it.",
  rotate: "Turn it (R)",
  gameOver: "The game is over: no tile is left to draw.",
  noPlace: "No tile that is left has a place.",
  pass: "Pass",
  impossible: "This position cannot arise, so nothing can be laid:",
  chooseCell: "Choose a lit cell to see what can be done there, or any other to read which rules forbid it.",
  illegal: "{move} is not legal",
  fitsOtherwise: "It fits here with rotation {rotations}.",
  anyFollower: "Any",
  noFollower: "No follower",
  follower: "Follower",
  justTheTile: "the tile alone",
  moreTurns: "There are more turns than are shown; write the one you mean in notation.",
  allowedBecause: "Allowed, though people ask about it",
  playTurn: "Play",
  wouldScore: "{move}: up to {points} points in this turn",
  legalAt: "{move} is legal; turns to choose from: {count}",
  illegalAt: "{move} is not legal; broken rules: {count}",

  // A move in notation
  moveInNotation: "Move in notation",
  moveExample: "C07@3,4r1 knight.N",
  judge: "Judge",
  isLegal: "{move} is legal.",
  isIllegal: "{move} is not legal:",

  // Questions
  askSolver: "Ask the solver",
  question: "Question",
  ask: "Ask",
  cancel: "Cancel",
  timeLimit: "Time limit",
  seconds: "{count} s",
  ask_best: "Best move of this turn",
  ask_force: "What can be forced to the end",
  ask_max: "The most that any play can reach",
  ask_expect: "What to expect when the order is unknown",
  ask_win: "Who wins, or how likely",
  ask_ahead: "Best move, looking some tiles ahead",
  about_best: "Points of this turn alone, every best move, with a proof.",
  about_force: "Best play of both to the end. The order of the tiles must be known.",
  about_max: "The largest final score, however both play.",
  about_expect: "The exact expected lead of each first move; for the last tiles of a game.",
  about_win: "Win, draw or loss with best play, or the probability of each.",
  about_ahead: "Best play of both for the lead once this tile and some more were drawn.",
  objective: "Counts",
  objective_points: "points",
  objective_lead: "lead",
  mode: "Who helps",
  mode_helped: "both players",
  mode_solitaire: "all turns are the player's",
  order: "Order of the tiles",
  order_given: "as given",
  order_choose: "the best one",
  order_any: "whatever comes",
  tiles: "Tiles further",
  every: "value of each first move",
  certify: "confirm by a second engine",
  waiting: "Waiting for its turn",
  thinking: "Thinking for {seconds} s",
  soFar: "so far {value}, not proved",
  soFarOnly: "The best found until then is {value}; that is not proved.",
  state_cancelled: "The solve was cancelled.",
  state_failed: "The solve failed.",
  state_refused: "This question cannot be asked of this position.",
  answeredBy: "{engine}, {seconds} s",
  line: "Best play",
  stepBack: "One turn back",
  stepOn: "One turn on",
  takePosition: "Go on from here",
  undo: "Undo",
  redo: "Redo",
};

/** Return a text with what stands in braces filled in. */
export function t(key, values = {}) {
  const text = TEXTS[key];
  if (text === undefined) throw new Error(`no text ${key}`);
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Return a name with a capital. */
export function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
