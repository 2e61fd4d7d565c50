// Numbers, times and paths as people read them. Pure: the clock is passed in.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const grouped = new Intl.NumberFormat('en-US');
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayMonthYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });

/** 12304 → "12,304". */
export function numberText(value: number): string {
  return grouped.format(value);
}

/** Time on a running clock. @param ms milliseconds. → "02:41", "1:02:41" */
export function clockText(ms: number): string {
  const total = Math.max(0, Math.floor(ms / second));
  const seconds = String(total % 60).padStart(2, '0');
  const minutes = String(Math.floor(total / 60) % 60).padStart(2, '0');
  const hours = Math.floor(total / 3600);
  return hours > 0 ? `${hours}:${minutes}:${seconds}` : `${minutes}:${seconds}`;
}

/** How long something took. @param ms milliseconds. → "0.3 s", "41 s", "2 min 41 s", "1 h 02 min" */
export function durationText(ms: number): string {
  if (ms < 9950) return `${(Math.max(0, ms) / second).toFixed(1)} s`;
  const seconds = Math.round(ms / second);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
  const minutes = Math.round(seconds / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}

/** How long ago, up to a day; then the date. Both in milliseconds since 1970. */
export function ageText(at: number, now: number): string {
  const age = now - at;
  if (age < minute) return 'just now';
  if (age < hour) return `${Math.floor(age / minute)} min ago`;
  if (age < day) return `${Math.floor(age / hour)} h ago`;
  const sameYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (sameYear ? dayAndMonth : dayMonthYear).format(at);
}

/** How long until something happens. @param ms milliseconds. → "a moment", "12 s", "12 min", "3 h 20 min", "21 days" */
export function countdownText(ms: number): string {
  const seconds = Math.ceil(ms / second);
  if (seconds <= 0) return 'a moment';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.ceil(ms / minute);
  if (minutes < 60) return `${minutes} min`;
  if (ms < day) return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return countText(Math.ceil(ms / day), 'day', 'days');
}

/** Time of day, with the date when it is another day. Both in milliseconds since 1970. → "14:05", "20 Dec, 14:05" */
export function timeText(at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return sameDay ? timeOfDay.format(at) : `${dayAndMonth.format(at)}, ${timeOfDay.format(at)}`;
}

/** "possible again at 14:05", "possible again since 14:05". Both in milliseconds since 1970. */
export function possibleAgainText(at: number, now: number): string {
  return `possible again ${at <= now ? 'since' : 'at'} ${timeText(at, now)}`;
}

/** The same for a time that no server named. → "next try at 14:05", "can be tried again" */
export function nextTryText(at: number, now: number): string {
  return at <= now ? 'can be tried again' : `next try at ${timeText(at, now)}`;
}

/** Date and time in full, for tooltips. @param at milliseconds since 1970 */
export function dateText(at: number): string {
  return full.format(at);
}

/** Share in whole per cent, at most 100; a used share is never shown as 0. */
export function percentOf(used: number, total: number): number {
  if (total <= 0 || used <= 0) return 0;
  return Math.min(100, Math.max(1, Math.round((used / total) * 100)));
}

/** "1 step", "12,304 steps". */
export function countText(count: number, one: string, many: string): string {
  return `${numberText(count)} ${count === 1 ? one : many}`;
}

/** Splits a path so that the folder can be cut and the file name stays: "src/a/b.ts" → ["src/a/", "b.ts"]. */
export function splitPath(path: string): readonly [folder: string, name: string] {
  const slash = path.lastIndexOf('/');
  return [path.slice(0, slash + 1), path.slice(slash + 1)];
}
