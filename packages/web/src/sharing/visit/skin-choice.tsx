// The theme of the visitor page ([R228]): the visitor's choice in this browser, which the inline script of the page
// applies before the first paint. Otherwise dark if the system is dark, and blue.
import { type ReactNode, useEffect, useState } from 'react'
import type { Labels } from './labels.ts'

const skins = ['blue', 'red', 'green', 'black'] as const
const savedSkin = 'skin'
const { dataset } = document.documentElement

export function SkinChoice({ say }: { readonly say: Labels }): ReactNode {
  const [skin, setSkin] = useState(dataset['skin'])
  const show = (one: string): void => {
    dataset['skin'] = one
    setSkin(one)
  }
  useEffect(() => {
    if (localStorage.getItem(savedSkin) === null && matchMedia('(prefers-color-scheme: dark)').matches) show('black')
  }, [])
  return (
    <span className="vi-skins" role="radiogroup" aria-label={say('skins')}>
      {skins.map((one) => (
        <input
          key={one}
          type="radio"
          name={savedSkin}
          aria-label={say(one)}
          title={say(one)}
          data-of={one}
          checked={skin === one}
          onChange={() => {
            localStorage.setItem(savedSkin, one)
            show(one)
          }}
        />
      ))}
    </span>
  )
}
