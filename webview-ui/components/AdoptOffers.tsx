// Sessions of a folder that is gone: one line each, with the button that takes them over.
import type { AdoptableView } from '../../src/protocol/view.ts';
import { Button } from './Button.tsx';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';

export function AdoptOffers(props: { readonly offers: readonly AdoptableView[] }) {
  const { post } = usePanel();
  if (props.offers.length === 0) return null;
  return (
    <section class="adoptable" aria-label="Sessions to adopt">
      {props.offers.map(({ folder, from, text }) => (
        <div key={`${folder} ${from}`} class="adoptable-row">
          <Icon name="history" />
          <span class="adoptable-text" title={`Their folder is not there any more: ${from}`}>
            {text}
          </span>
          <Button
            label="Adopt"
            hint="List them here from now on"
            onPress={() => post({ type: 'adopt', folder, from })}
          />
        </div>
      ))}
    </section>
  );
}
