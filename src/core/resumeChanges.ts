// A resume context in short, for a conversation in which an earlier one is sent already: what has changed since then, and
// for the rest a line that says where it stands. Pure; whether the earlier one is still sent when this one is, is not its
// business: the record has the whole context too (historyEdits.ts chooses).
import type { EventOf } from './events.ts';
import type { ListedFile } from './recordedFiles.ts';
import { historyEdits } from './historyEdits.ts';
import type { ConversationEvent } from './sessionState.ts';
import {
  historySection,
  listedLines,
  notListed,
  oneLine,
  sectionsText,
  type ResumeContextInput,
  type Section,
  type SectionKey,
} from './resumeContext.ts';

type Relaunch = EventOf<'relaunch_prepared'>;

export const changesIntro =
  'The last resume context above still holds. Below is what has changed since; where a section says "as above", it stands there as it is now.';
export const asAbove = 'As above.';
/** Shorter by less than this share is no gain: then the whole stands alone. */
const worthIt = 0.75;

/** The last context that is sent with this conversation; undefined when there is none, or it was left out. */
export function standingContext(conversation: readonly ConversationEvent[]): Relaunch | undefined {
  const edits = historyEdits(conversation);
  return edits.entries.findLast(
    (entry): entry is Relaunch => entry.type === 'relaunch_prepared' && edits.healed(entry.seq, 1) === undefined,
  );
}

/** The fields of a new record that make its context short where an earlier one is sent: none when that is no gain. */
export function shorterContext(
  whole: string,
  sections: readonly Section[],
  base: Relaunch | undefined,
  input: ResumeContextInput | undefined,
): Pick<Relaunch, 'shorter'> {
  const before = base && sectionsIn(base.context, sections);
  if (!base || !before) return {};
  const changes = sections.map((section): Section => ({
    ...section,
    build: () => changed(section, before.get(section.key), base, input),
  }));
  const text = `${changesIntro}\n\n${sectionsText(changes)}`;
  return text.length < whole.length * worthIt ? { shorter: { since: base.seq, text } } : {};
}

function changed(section: Section, before: string | undefined, base: Relaunch, input?: ResumeContextInput): string {
  switch (section.key) {
    case 'history': {
      const since = input && historySection(input, base.seq);
      return since === undefined ? `${asAbove} No tool calls since then.` : `As above, and since then:\n${since}`;
    }
    case 'listing':
      return (input && listingChanges(input, base.listed)) ?? section.build();
    case 'artifacts':
      return artifactChanges(section.build(), before);
    case 'tasks':
    case 'editors':
    case 'rules': {
      const now = section.build();
      return now === before ? asAbove : now;
    }
    case 'state':
    case 'inFlight':
      return section.build();
  }
}

/** Undefined where the whole list is the better answer. */
function listingChanges(input: ResumeContextInput, before: readonly ListedFile[] | undefined): string | undefined {
  const { listing } = input;
  if (!listing.ok || !before) return undefined;
  const { files, total } = listing.value;
  const known = new Map(before.map((file) => [file.path, file]));
  const present = new Set(files.map(({ path }) => path));
  const other = files.filter(({ path, size, mtimeMs }) => {
    const file = known.get(path);
    return file?.size !== size || file.mtimeMs !== mtimeMs;
  });
  const gone = before.filter(({ path }) => !present.has(path));
  if ((other.length + gone.length) * 2 > files.length) return undefined;
  // Of a list with a limit, a file that is not on it any more may be there all the same.
  const isWhole = total <= files.length;
  const lines = [
    ...listedLines(input, other),
    ...gone.map(({ path }) => `${oneLine(path)} (${isWhole ? 'gone' : 'not among the listed files now'})`),
  ];
  const rest = notListed(listing.value);
  if (lines.length === 0) return [`${asAbove} No file has changed since.`, ...rest].join('\n');
  return ['As above (ages as of then), except:', ...lines, ...rest].join('\n');
}

/** Lines of artifacts are "path: what became of it"; a list that lost one is told whole. */
function artifactChanges(now: string, before: string | undefined): string {
  if (before === undefined) return now;
  if (now === before) return asAbove;
  const linesBefore = before.split('\n');
  const linesNow = now.split('\n');
  const pathOf = (line: string): string => line.slice(0, line.lastIndexOf(': '));
  const paths = new Set(linesNow.map(pathOf));
  const hasLost = linesBefore.some((line) => !line.includes(': ') || !paths.has(pathOf(line)));
  if (hasLost) return now;
  const known = new Set(linesBefore);
  return ['As above, except:', ...linesNow.filter((line) => !known.has(line))].join('\n');
}

/**
 * The parts of a whole context, but for those up to the tool history, which may hold anything. Everything after it is made
 * of single lines, so a title can only be one. Undefined for a text of another shape.
 */
function sectionsIn(context: string, sections: readonly Section[]): ReadonlyMap<SectionKey, string> | undefined {
  const found = new Map<SectionKey, string>();
  const afterHistory = sections.slice(sections.findIndex(({ key }) => key === 'history') + 1);
  let end = context.length;
  for (const { key, title } of afterHistory.toReversed()) {
    const head = `## ${title}\n`;
    const at = context.lastIndexOf(`\n\n${head}`, end);
    const start = at === -1 && context.startsWith(head) ? 0 : at + 2;
    if (start === 1) return undefined;
    found.set(key, context.slice(start + head.length, end));
    end = at;
  }
  return found;
}
