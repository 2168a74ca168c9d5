// All windows with sample props, in both languages and all skins, for viewing and for tests. Not part of the product.
import type { ReactNode } from 'react'
import { setLocale, useLocale } from '../core/i18n/i18n.ts'
import { setSkin, skins, useSkin } from '../core/theme/theme.ts'
import { openFrame, type WindowDefinition, windowNamed, windowNames } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import './gallery.css'

/** All windows with their usual sample, and with maximum content. */
function shown(): [string, WindowDefinition, unknown][] {
  return windowNames().flatMap((name) => {
    const definition = windowNamed(name)
    if (definition === undefined) return []
    const usual: [string, WindowDefinition, unknown] = [name, definition, definition.sample]
    return definition.crowded ? [usual, [`${name} crowded`, definition, definition.crowded()]] : [usual]
  })
}

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
          <Button key={one} {...(one === locale && { kind: 'primary' as const })} onClick={() => void setLocale(one)}>
            {one}
          </Button>
        ))}
      </p>
      <p>
        {shown().map(([name, definition, props]) => (
          <Button key={name} data-name={name} onClick={() => void openFrame(name, definition, props)}>
            {name}
          </Button>
        ))}
      </p>
    </main>
  )
}
