// The template that is being drawn, with everything that can be undone.
import type { TemplateBody } from '@cloudoc/contract'
import { useState } from 'react'

interface History {
  readonly past: readonly TemplateBody[]
  readonly now: TemplateBody
  readonly future: readonly TemplateBody[]
}

const mostUndone = 100

export interface Drawing {
  readonly body: TemplateBody
  readonly change: (to: TemplateBody) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly canUndo: boolean
  readonly canRedo: boolean
}

/** Keeps a template and its earlier states. */
export function useDrawing(first: TemplateBody): Drawing {
  const [history, setHistory] = useState<History>({ past: [], now: first, future: [] })
  const { past, now, future } = history
  return {
    body: now,
    change: (to) => setHistory({ past: [...past, now].slice(-mostUndone), now: to, future: [] }),
    undo: () => {
      const before = past.at(-1)
      if (before !== undefined) setHistory({ past: past.slice(0, -1), now: before, future: [now, ...future] })
    },
    redo: () => {
      const [after, ...rest] = future
      if (after !== undefined) setHistory({ past: [...past, now], now: after, future: rest })
    },
    canUndo: past.length > 0,
    canRedo: future.length > 0,
  }
}
