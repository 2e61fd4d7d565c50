// One codicon. Never the only carrier of a meaning: words are beside it or in the name of its button.

/** @param props.spin turns, unless the reader asked for less motion */
export function Icon(props: { readonly name: string; readonly spin?: boolean; readonly class?: string }) {
  const spin = props.spin ? ' codicon-modifier-spin' : '';
  return <span class={`codicon codicon-${props.name}${spin} ${props.class ?? ''}`} aria-hidden="true" />;
}
