// How the page of a visitor looks ([R228]): as they chose in this browser, which the script of the page has set before the
// first paint; else dark where their system is, and blue.
import { type ReactNode, useEffect, useState } from 'react'
import type { Say } from './labels.ts'

const skins = ['blue', 'red', 'green', 'black'] as const
const kept = 'skin'
const { dataset } = document.documentElement

export function SkinChoice({ say }: { readonly say: Say }): ReactNode {
  const [skin, setSkin] = useState(dataset['skin'])
  const show = (one: string): void => {
    dataset['skin'] = one
    setSkin(one)
  }
  useEffect(() => {
    if (localStorage.getItem(kept) === null && matchMedia('(prefers-color-scheme: dark)').matches) show('black')
  }, [])
  return (
    <span className="vi-skins" role="radiogroup" aria-label={say('skins')}>
      {skins.map((one) => (
        <input
          key={one}
          type="radio"
          name={kept}
          aria-label={say(one)}
          title={say(one)}
          data-of={one}
          checked={skin === one}
          onChange={() => {
            localStorage.setItem(kept, one)
            show(one)
          }}
        />
      ))}
    </span>
  )
}
