// Numbers, sizes and ages as people read them. English, the same on every machine.

/** "1 step", "6 steps", "1,204 steps". */
export function countOf(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

export function grouped(count: number): string {
  return count.toString().replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** "512 B", "3.1 KB", "41 MB". Bytes in powers of 1024. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 10 ? value.toFixed(0) : value.toFixed(1);
  return `${digits} ${units[unit] ?? ''}`;
}

/** Without its full stop: "No server answered." and what to do about it becomes "No server answered". */
export function firstSentence(text: string): string {
  const end = text.search(/\.(\s|$)/);
  return end === -1 ? text : text.slice(0, end);
}

/** "just now", "4 min ago", "3 h ago", "2 days ago", for a time span in milliseconds. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${String(minutes)} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${String(hours)} h ago`;
  return `${countOf(Math.floor(hours / 24), 'day')} ago`;
}

/** "4.1 s", "02:41", "1:02:41", for a time span in milliseconds. */
export function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : seconds.toFixed(0)} s`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const whole = Math.floor(seconds);
  const hours = Math.floor(whole / 3600);
  const rest = `${two(Math.floor((whole % 3600) / 60))}:${two(whole % 60)}`;
  return hours > 0 ? `${String(hours)}:${rest}` : rest;
}
