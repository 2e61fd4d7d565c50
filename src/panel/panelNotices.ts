// What is said in the panel beside the sessions: notices above the input, each until it is answered or taken away.
// Their buttons are the host's: the panel only says which one was pressed, and each is pressed once.
import type { NoticeView } from '../protocol/view.ts';

export interface NoticeAction {
  readonly label: string;
  /** Looks at what holds when it is pressed, which may be long after the notice came. */
  readonly run: () => Promise<void>;
}

export interface Notice {
  readonly level: NoticeView['level'];
  readonly text: string;
  readonly actions?: readonly NoticeAction[];
}

/** More than these cover the transcript; the oldest goes first. */
const mostNotices = 3;

export class PanelNotices {
  #notices: readonly (Notice & { readonly id: string })[] = [];
  #count = 0;

  get views(): readonly NoticeView[] {
    return this.#notices.map(({ id, level, text, actions = [] }) => {
      return { id, level, text, actions: actions.map(({ label }) => label) };
    });
  }

  /** The same words take the place of those that are there. */
  add(notice: Notice): void {
    this.#count += 1;
    const others = this.#notices.filter(({ text }) => text !== notice.text);
    this.#notices = [...others, { ...notice, id: `n${String(this.#count)}` }].slice(-mostNotices);
  }

  /** Takes a notice away. @returns what its button does; undefined when there is none, or it was pressed before */
  answer(id: string, action: number | undefined): NoticeAction['run'] | undefined {
    const notice = this.#notices.find((each) => each.id === id);
    this.#notices = this.#notices.filter((each) => each !== notice);
    return action === undefined ? undefined : notice?.actions?.[action]?.run;
  }
}
