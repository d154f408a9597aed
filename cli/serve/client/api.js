// The server's answers; whatever it refuses is thrown as a Refusal with its problems.

import { t } from "./texts.js";

export class Refusal extends Error {
  constructor(status, data) {
    super(data.error ?? `status ${status}`);
    this.status = status;
    this.problems = data.problems ?? [];
  }
}

async function answered(response) {
  if (response.status === 401) throw new Refusal(401, { error: t("noEntry") });
  const data = await response.json().catch(() => ({ error: t("unreachable") }));
  if (!response.ok) throw new Refusal(response.status, data);
  return data;
}

/** Send a request; a browser tells in its own words alone that nobody listens any more. */
function reached(path, request) {
  return fetch(path, request).catch(() => { throw new Refusal(0, { error: t("unreachable") }); });
}

export async function get(path) {
  return answered(await reached(path));
}

export async function post(path, data) {
  const headers = { "Content-Type": "application/json" };
  return answered(await reached(path, { method: "POST", headers, body: JSON.stringify(data) }));
}

const PAUSES = [30, 60, 120, 250]; // milliseconds before the next look; the last one stays
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** A solve that runs in a process of its own until it ends or is cancelled. */
export class Solve {
  /**
   * @param {string} path where the question is asked
   * @param {object} question
   * @param {function(object): void} told hears how it goes on
   */
  constructor(path, question, told) {
    this.path = path;
    this.question = question;
    this.told = told;
    this.id = null;
    this.stopped = false;
  }

  /** Ask, and return how it ended. */
  async run() {
    let job = await post(this.path, this.question);
    if (job.state === "done") return job; // what is known needs no solve
    this.id = job.id;
    const leave = () => this.end(true);
    addEventListener("pagehide", leave);
    let looks = 0;
    try {
      while (job.state === "waiting" || job.state === "running") {
        if (this.stopped) return await this.end(false);
        this.told(job);
        await wait(PAUSES[Math.min(looks, PAUSES.length - 1)]);
        looks += 1;
        job = await get(`/api/jobs/${this.id}`);
      }
      return job;
    } finally {
      removeEventListener("pagehide", leave);
    }
  }

  /** Let it end with what it has found; how it ended is what it is run for. */
  async enough() {
    if (this.id) await post(`/api/jobs/${this.id}/enough`, {});
  }

  /** Let it end soon. */
  cancel() {
    this.stopped = true;
  }

  async end(keepalive) {
    return answered(await reached(`/api/jobs/${this.id}`, { method: "DELETE", keepalive }));
  }
}
