// What happens elsewhere: one stream of events for the whole screen, and data that loads itself again when it changed.

import { useCallback, useEffect, useRef, useState } from "./core.js";
import { get, path } from "./api.js";

const changes = new Set();
const jobs = new Set();
const states = new Set();
let source = null;
let etag = null;
let connected = true;

function tell(listeners, what) {
  for (const listener of [...listeners]) listener(what);
}

function connectedIs(now) {
  if (connected === now) return;
  connected = now;
  tell(states, now);
}

export function begin() {
  source = new EventSource("/api/v1/events");
  source.addEventListener("hello", (event) => {
    const before = etag;
    etag = JSON.parse(event.data).etag;
    connectedIs(true);
    // After a break anything may have changed, not only MEMORY.md.
    if (before !== null) tell(changes, { files: [] });
  });
  source.addEventListener("change", (event) => {
    const change = JSON.parse(event.data);
    etag = change.etag;
    tell(changes, change);
  });
  source.addEventListener("job", (event) => tell(jobs, JSON.parse(event.data)));
  source.addEventListener("error", () => connectedIs(false));
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}

function useListener(listeners, listener) {
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(() => {
    const call = (what) => latest.current(what);
    listeners.add(call);
    return () => listeners.delete(call);
  }, []);
}

export const useChanges = (listener) => useListener(changes, listener);
export const useJobs = (listener) => useListener(jobs, listener);

export function useConnected() {
  const [now, set] = useState(connected);
  useListener(states, set);
  return now;
}

const touches = (change, files) =>
  !files || change.files.length === 0 || change.files.some((name) => files.some((start) => name.startsWith(start)));

// The answer to a GET. It stays on the screen while a newer one is fetched; `files` are the beginnings of the names of
// files whose change makes it out of date (none: any change does; false: none does).
export function useLoad(where, values, files) {
  const [state, set] = useState({ data: null, trouble: null, loading: true, key: "" });
  const key = where === null ? "" : where + JSON.stringify(values ?? {});
  const running = useRef(null);
  const load = useCallback(async () => {
    if (!key) return;
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    set((old) => ({ ...old, loading: true }));
    try {
      const data = await get(where, values, own.signal);
      set({ data, trouble: null, loading: false, key });
    } catch (trouble) {
      if (trouble.name !== "AbortError") set((old) => ({ ...old, trouble, loading: false, key }));
    }
  }, [key]);
  useEffect(() => {
    load();
    return () => running.current?.abort();
  }, [load]);
  const timer = useRef(0);
  useChanges((change) => {
    if (files === false || !touches(change, files)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(load, 60);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { ...state, fresh: state.key === key, reload: load };
}

// A list that comes in pages: the first one loads itself, `more` fetches the next. What changes elsewhere is fetched
// again as far as one has paged.
export function usePages(where, values, files) {
  const key = where + JSON.stringify(values);
  const [state, set] = useState({ items: [], next: null, total: null, trouble: null, loading: true, key: "" });
  const size = useRef(0);
  const latest = useRef(key);
  latest.current = key;
  const fetchUpTo = useCallback(async (wanted) => {
    set((old) => ({ ...old, loading: true }));
    try {
      let page = await get(where, values);
      const items = [...page.items];
      while (page.next && items.length < wanted) {
        page = await get(where, { ...values, cursor: page.next });
        items.push(...page.items);
      }
      size.current = items.length;
      if (latest.current === key) {
        set({ items, next: page.next, total: page.total, trouble: null, loading: false, key });
      }
    } catch (trouble) {
      if (latest.current === key) set((old) => ({ ...old, trouble, loading: false, key }));
    }
  }, [key]);
  useEffect(() => {
    size.current = 0;
    fetchUpTo(1);
  }, [fetchUpTo]);
  const more = async () => {
    const page = await get(where, { ...values, cursor: state.next });
    if (latest.current !== key) return;
    size.current += page.items.length;
    set((old) => ({ ...old, items: [...old.items, ...page.items], next: page.next }));
  };
  const timer = useRef(0);
  useChanges((change) => {
    if (files === false || !touches(change, files)) return;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => fetchUpTo(size.current), 60);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  return { ...state, fresh: state.key === key, more, reload: () => fetchUpTo(size.current) };
}

// The answer that a job has begun may come after the event that it has ended.
const isStale = (one, known) => known && (one.id === known.id ? one.state === "running" && known.state !== "running" : one.started < known.started);

// The newest job of a kind, kept up to date while it works. Lists and events may leave its result out: it is fetched.
export function useJob(kind) {
  const [job, set] = useState(null);
  const put = (one) => set((known) => (isStale(one, known) ? known : one));
  const take = (one) => {
    if (one.state !== "done" || one.result) put(one);
    else get(path`/jobs/${one.id}`).then(put).catch(() => {});
  };
  useEffect(() => {
    get("/jobs").then(({ items }) => {
      const found = items.filter((one) => one.kind === kind);
      if (found.length) take(found.reduce((a, b) => (a.started > b.started ? a : b)));
    }).catch(() => {});
  }, [kind]);
  useJobs((one) => one.kind === kind && take(one));
  return [job, take];
}
