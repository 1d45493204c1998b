// Talking to the API: one function for every request, and errors that carry what the server said.

const BASE = "/api/v1";

// An answer that is no success. `problem` is the server's problem+json; without an answer at all, `status` is 0.
export class Trouble extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || "Something went wrong.");
    this.status = status;
    this.problem = problem;
    this.code = problem.code ?? "";
    this.hint = problem.hint ?? "";
  }
}

const signedOut = new Set();

export function whenSignedOut(listener) {
  signedOut.add(listener);
}

function query(values) {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(values ?? {})) {
    if (value === undefined || value === null || value === "" || value === false) continue;
    for (const one of Array.isArray(value) ? value : [value]) written.append(name, String(one));
  }
  const text = written.toString();
  return text ? `?${text}` : "";
}

async function answer(method, path, { values, body, match, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (match) headers["If-Match"] = `"${match}"`;
  if (method !== "GET") headers["Idempotency-Key"] = crypto.randomUUID();
  const request = { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) };
  for (let attempt = 1; ; attempt += 1) {
    let response;
    try {
      response = await fetch(BASE + path + query(values), request);
    } catch (error) {
      if (error.name === "AbortError") throw error;
      // The key makes it safe to ask again: what was done is not done twice.
      if (attempt < 2) continue;
      throw new Trouble(0, { detail: "Commonplace does not answer.", hint: "Is `commonplace serve` still running?" });
    }
    if (response.status === 503 && attempt < 3) {
      await new Promise((resolve) => setTimeout(resolve, 400 * attempt));
      continue;
    }
    if (response.status === 401) for (const listener of signedOut) listener();
    const said = response.status === 204 ? null : await response.json().catch(() => null);
    if (!response.ok) throw new Trouble(response.status, said ?? { detail: `The answer was ${response.status}.` });
    return said;
  }
}

const named = (strings, ...names) =>
  strings.reduce((path, text, place) => path + encodeURIComponent(names[place - 1]) + text);

export const path = named;
export const get = (where, values, signal) => answer("GET", where, { values, signal });
export const post = (where, body = {}, match) => answer("POST", where, { body, match });
export const put = (where, body = {}, match) => answer("PUT", where, { body, match });
export const patch = (where, body = {}, match) => answer("PATCH", where, { body, match });
export const remove = (where, match) => answer("DELETE", where, { match });
