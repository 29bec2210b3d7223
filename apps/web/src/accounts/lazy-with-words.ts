import { lazyComponent, type LazyComponent } from '@belvedere/ui';
import type { ComponentType } from 'react';

/** A component that loads when it is first shown, together with the texts of accounts and sharing. */
export function lazyWithWords<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  return lazyComponent(async () => {
    const [component] = await Promise.all([
      load(),
      import('./messages/words.ts').then(module => module.loadAccountWords()),
    ]);
    return component;
  });
}
