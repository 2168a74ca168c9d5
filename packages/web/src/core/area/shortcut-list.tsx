import type { ReactNode } from 'react'
import { useT } from '../i18n/i18n.ts'
import type { shortcutGroups } from './shortcuts.ts'

/** Keyboard shortcuts in their groups. */
export function ShortcutList({ groups }: { readonly groups: ReturnType<typeof shortcutGroups> }): ReactNode {
  const t = useT()
  return (
    <>
      {groups.map(([title, list]) => (
        <section key={title}>
          <h3>{t(title)}</h3>
          <dl>
            {list.map(([keys, does]) => (
              <div key={does}>
                <dt>{t(does)}</dt>
                <dd>
                  {keys.map((one) => (
                    <kbd key={one}>{one}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}
