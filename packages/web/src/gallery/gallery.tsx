// Every window with its sample, in both languages and all skins, for looking and for the tests. Not in the product.
import type { ReactNode } from 'react'
import { setLocale, useLocale } from '../core/i18n.ts'
import { setSkin, skins, useSkin } from '../core/theme.ts'
import { openFrame, windowNamed, windowNames } from '../core/window-manager/index.ts'
import { Button } from '../kit/button.tsx'
import './gallery.css'

/** A button for each window, skin and language. */
export function Gallery(): ReactNode {
  const locale = useLocale()
  const skin = useSkin()
  return (
    <main className="gallery">
      <p>
        {skins.map((one) => (
          <Button key={one} {...(one === skin && { kind: 'primary' as const })} onClick={() => setSkin(one)}>
            {one}
          </Button>
        ))}
        {(['zh', 'en'] as const).map((one) => (
          <Button key={one} {...(one === locale && { kind: 'primary' as const })} onClick={() => setLocale(one)}>
            {one}
          </Button>
        ))}
      </p>
      <p>
        {windowNames().map((name) => {
          const definition = windowNamed(name)
          return (
            definition && (
              <Button key={name} data-name={name} onClick={() => void openFrame(name, definition, definition.sample)}>
                {name}
              </Button>
            )
          )
        })}
      </p>
    </main>
  )
}
