// A saved search in the pane next to the results. A click or Enter runs it, F2 renames it, Delete removes it, and its
// menu offers the same actions.

import { type ReactNode, useRef, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import {
  Bookmark16Regular,
  Delete16Regular,
  Dismiss12Regular,
  Rename16Regular,
  Search16Regular,
} from '../../kit/icons.ts'
import { RenameField } from '../../kit/rename-field.tsx'
import type { SavedSearch } from '../search/saved-searches.ts'
import { deleteSavedSearch, maxSearchNameLength, renameSavedSearch } from './use-search.ts'

interface SavedSearchRowProps {
  readonly saved: SavedSearch
  readonly isOn: boolean
  readonly onGo: () => void
}

export function SavedSearchRow({ saved: { searchId, name }, isOn, onGo }: SavedSearchRowProps): ReactNode {
  const t = useT()
  const line = useRef<HTMLButtonElement>(null)
  const [isNaming, setNaming] = useState(false)
  const [isGone, setGone] = useState(false)
  const remove = (): void => {
    if (isGone) return
    setGone(true)
    deleteSavedSearch(searchId).catch((error: unknown) => {
      setGone(false)
      notifyFailure(error)
    })
  }
  if (isNaming)
    return (
      <div className="dr-facet-line">
        <RenameField
          name={name}
          longest={maxSearchNameLength}
          label={t('search.saved.name')}
          className="dr-facet-name"
          onChange={(next) => void renameSavedSearch(searchId, next).catch(notifyFailure)}
          onEnd={(by) => {
            setNaming(false)
            if (by === 'key') requestAnimationFrame(() => line.current?.focus())
          }}
        />
      </div>
    )
  const menu = ({ x, y }: { readonly x: number; readonly y: number }): void =>
    void showMenu(
      [
        { id: 'run', label: t('search.saved.run'), icon: <Search16Regular />, hint: 'Enter', run: onGo },
        {
          ...{ id: 'rename', label: t('drive.menu.rename'), icon: <Rename16Regular />, hint: 'F2' },
          run: () => setNaming(true),
        },
        { separator: true },
        {
          ...{ id: 'remove', label: t('search.saved.drop'), icon: <Delete16Regular />, hint: 'Delete' },
          ...{ danger: true, run: remove },
        },
      ],
      { x, y },
    )
  return (
    <div className="dr-facet-line">
      <button
        ref={line}
        type="button"
        className={isOn ? 'dr-facet is-on' : 'dr-facet'}
        aria-current={isOn || undefined}
        title={name}
        disabled={isGone}
        onClick={onGo}
        onContextMenu={(event) => {
          event.preventDefault()
          // The menu key has no pointer position.
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          menu(event.clientX === 0 ? { x: left, y: bottom } : { x: event.clientX, y: event.clientY })
        }}
        onKeyDown={({ key }) => {
          if (key === 'F2') setNaming(true)
          else if (key === 'Delete') remove()
        }}
      >
        <Bookmark16Regular />
        <span>{name}</span>
      </button>
      <button
        type="button"
        className="dr-facet-drop"
        aria-label={t('search.saved.remove', { name })}
        disabled={isGone}
        onClick={remove}
      >
        <Dismiss12Regular />
      </button>
    </div>
  )
}
