// What every module draws with. The vendored library is named here and nowhere else.
export {
  html, render, Component, useState, useEffect, useLayoutEffect, useRef, useMemo, useCallback,
} from "../vendor/preact-htm.js";
