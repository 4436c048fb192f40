// Types of the page itself; what the server sends is in types.d.ts.

/** A page: draws itself into `main` and returns what ends it. */
type Page = (main: HTMLElement, rest: string[], query: URLSearchParams) => Promise<(() => void) | void>;

/** The rules of a game, told in parts, with a position where one helps. */
type Rules = { title: string; text: string; position?: string }[];

/** A report of the engine on the visitor's own device says so. */
interface Report { here?: boolean }
