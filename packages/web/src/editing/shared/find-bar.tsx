// The find and replace bar of an editor.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { ChevronDown20Regular, ChevronUp20Regular, Dismiss20Regular } from '../../kit/icons.ts'

interface FindBarProps {
  readonly isEditable: boolean
  /** Goes to the next or previous match; returns its number and the count. */
  readonly find: (text: string, step: 1 | -1) => { readonly at: number; readonly count: number }
  /** Replaces the current match and goes to the next. */
  readonly replace: (text: string, by: string) => { readonly at: number; readonly count: number }
  /** Replaces all matches; returns their number. */
  readonly replaceAll: (text: string, by: string) => number
  readonly close: () => void
  /** Whether other sheets are searched, too. */
  readonly everywhere?: { readonly label: string; readonly is: boolean; readonly set: (is: boolean) => void }
}

export function FindBar({ isEditable, find, replace, replaceAll, close, everywhere }: FindBarProps): ReactNode {
  const t = useT()
  const [text, setText] = useState('')
  const [by, setBy] = useState('')
  const [told, setTold] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.select(), [])
  const tell = ({ at, count }: { readonly at: number; readonly count: number }): void =>
    setTold(count === 0 ? t('editor.find.none') : t('editor.find.at', { at, n: count }))
  const go = (step: 1 | -1): void => {
    if (text !== '') tell(find(text, step))
  }
  return (
    <div
      className="ed-find"
      role="search"
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Escape') close()
        else if (event.key === 'Enter' && event.target === field.current) go(event.shiftKey ? -1 : 1)
      }}
    >
      <input
        ref={field}
        value={text}
        aria-label={t('editor.find.what')}
        placeholder={t('editor.find.what')}
        spellCheck={false}
        onChange={(event) => {
          setText(event.target.value)
          setTold('')
        }}
      />
      <IconButton
        size="small"
        label={t('editor.find.previous')}
        hint="Shift+Enter"
        icon={<ChevronUp20Regular />}
        onClick={() => go(-1)}
      />
      <IconButton
        size="small"
        label={t('editor.find.next')}
        hint="Enter"
        icon={<ChevronDown20Regular />}
        onClick={() => go(1)}
      />
      {isEditable && (
        <>
          <input
            value={by}
            aria-label={t('editor.find.with')}
            placeholder={t('editor.find.with')}
            spellCheck={false}
            onChange={(event) => setBy(event.target.value)}
          />
          <Button size="small" disabled={text === ''} onClick={() => tell(replace(text, by))}>
            {t('editor.find.replace')}
          </Button>
          <Button
            size="small"
            disabled={text === ''}
            onClick={() => setTold(t('editor.find.replaced', { n: replaceAll(text, by) }))}
          >
            {t('editor.find.replaceAll')}
          </Button>
        </>
      )}
      {everywhere !== undefined && (
        <label className="ed-find-all">
          <input
            type="checkbox"
            checked={everywhere.is}
            onChange={(event) => {
              everywhere.set(event.target.checked)
              setTold('')
            }}
          />
          {everywhere.label}
        </label>
      )}
      <span className="ed-find-told" role="status">
        {told}
      </span>
      <IconButton size="small" label={t('editor.find.close')} hint="Esc" icon={<Dismiss20Regular />} onClick={close} />
    </div>
  )
}
