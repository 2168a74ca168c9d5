// The search field of the title bar: names by part, pinyin or initials ([R240]).

import type { ItemRecord } from '@cloudoc/contract'
import { Flash20Regular, Search16Regular } from '@fluentui/react-icons'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { type Command, commands } from '../../core/menu/commands.ts'
import { isComposing } from '../../core/page/keys.ts'
import { openWindow } from '../../core/windows/index.ts'
import { evaluate, rules } from '../actions/actions.ts'
import { follow } from '../actions/links.ts'
import { useActionContext } from '../actions/use-action-context.ts'
import { FileIcon, FolderIcon } from '../item/file-icon.tsx'
import { extOf, folderPath, isFolder, isLink, keyOf } from '../item/item.ts'
import { markMatches } from './match.ts'
import './search-box.css'

/** Milliseconds after the last key before the server is asked. */
const debounceMs = 150
const shownHits = 12
const shownCommands = 4

interface Found {
  readonly keyword: string
  readonly hits: readonly ItemRecord[]
  readonly failed: boolean
}

/** Finds files and folders by name; Ctrl+K goes to it from anywhere. */
export function SearchBox(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const context = useActionContext()
  const input = useRef<HTMLInputElement>(null)
  const listId = useId()
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found>()
  const [at, setAt] = useState(0)
  const [open, setOpen] = useState(false)
  const keyword = text.trim()
  /** Enter came before the answer: its first hit is gone to when it is there. */
  const hurried = useRef(false)

  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])

  useEffect(() => {
    if (keyword === '') {
      setFound(undefined)
      return
    }
    let gone = false
    const timer = setTimeout(() => {
      void api
        .searchDoc({ keyword, rows: shownHits })
        .then(
          (answer): Found => ({ keyword, hits: answer.list, failed: false }),
          (): Found => ({ keyword, hits: [], failed: true }),
        )
        .then((answer) => {
          // An answer that comes late must not replace that of a newer question.
          if (gone) return
          setFound(answer)
          setAt(0)
        })
    }, debounceMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [keyword])

  useEffect(() => {
    document.getElementById(`${listId}-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, listId])

  const hits = found?.hits ?? []
  const lower = keyword.toLowerCase()
  const able = keyword === '' ? [] : commands().filter(({ label }) => label.toLowerCase().includes(lower))
  const offered = able.slice(0, shownCommands)
  const rows = hits.length + offered.length
  const leave = (): void => {
    setOpen(false)
    input.current?.blur()
  }
  const showInFolder = (hit: ItemRecord): void => {
    leave()
    void navigate(folderPath(hit.parentFolderId, hit))
  }
  /** A parent that the person may not see cannot be opened: then the hit itself is. */
  const goTo = (hit: ItemRecord): void => {
    if (hit.parentFolderId > 0) showInFolder(hit)
    else void choose(hit)
  }
  const choose = async (found: ItemRecord): Promise<void> => {
    leave()
    const hit = isLink(found) ? await follow(found) : found
    if (hit === undefined) return
    if (isFolder(hit)) return void navigate(folderPath(hit.fId))
    const file = {
      fId: hit.fId,
      fName: hit.fName,
      fileSize: hit.fileSize,
      canPreview: evaluate(rules.preview, [hit], context).enabled,
      canDownload: evaluate(rules.download, [hit], context).enabled,
      canPrint: evaluate(rules.print, [hit], context).enabled,
    }
    void openWindow('previewer', { files: [file], index: 0 })
  }

  const perform = (command: Command): void => {
    setText('')
    leave()
    command.run()
  }

  const onKeyDown = (event: React.KeyboardEvent): void => {
    event.stopPropagation()
    if (isComposing(event)) return
    const hit = hits[at]
    const command = offered[at - hits.length]
    if (event.key === 'ArrowDown') setAt(Math.max(0, Math.min(rows - 1, at + 1)))
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1))
    else if (event.key === 'Enter' && keyword !== '' && found?.keyword !== keyword) hurried.current = true
    else if (event.key === 'Enter' && hit !== undefined) goTo(hit)
    else if (event.key === 'Enter' && command !== undefined) perform(command)
    else if (event.key === 'Escape' && text !== '') setText('')
    else if (event.key === 'Escape') leave()
    else return
    event.preventDefault()
  }

  const goToFirst = useEffectEvent(goTo)
  useEffect(() => {
    if (found === undefined || !hurried.current) return
    hurried.current = false
    const [first] = found.hits
    if (first !== undefined) goToFirst(first)
  }, [found])
  const showing = open && keyword !== ''
  return (
    <div
      className="dr-search"
      role="search"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false)
      }}
    >
      <Search16Regular />
      <input
        ref={input}
        value={text}
        role="combobox"
        aria-expanded={showing}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={showing && at < rows ? `${listId}-${at}` : undefined}
        aria-label={t('drive.search')}
        placeholder={t('drive.search.placeholder')}
        spellCheck={false}
        autoComplete="off"
        onFocus={() => setOpen(true)}
        onChange={(event) => {
          hurried.current = false
          setText(event.target.value)
          setOpen(true)
        }}
        onKeyDown={onKeyDown}
      />
      {text === '' && <kbd>Ctrl K</kbd>}
      {showing && found !== undefined && (
        <div className="dr-search-panel">
          <div id={listId} role="listbox" aria-label={t('drive.search.hits')}>
            {hits.map((hit, i) => (
              <div
                key={keyOf(hit)}
                id={`${listId}-${i}`}
                role="option"
                aria-selected={i === at}
                className={i === at ? 'is-current' : ''}
                onMouseMove={() => setAt(i)}
                // The field keeps the focus until the click is done.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => void choose(hit)}
              >
                {isFolder(hit) ? <FolderIcon /> : <FileIcon ext={extOf(hit)} />}
                <span className="dr-search-text">
                  <span className="dr-search-name" title={hit.fName}>
                    {markMatches(hit.fName, found.keyword, hit.nameSort).map((piece, j) =>
                      piece.hit ? <mark key={j}>{piece.text}</mark> : piece.text,
                    )}
                  </span>
                  <small title={hit.pathString}>{hit.pathString.split('/').map(isolated).join(' › ')}</small>
                </span>
              </div>
            ))}
            {offered.map((command, i) => (
              <div
                key={command.id}
                id={`${listId}-${hits.length + i}`}
                role="option"
                aria-selected={hits.length + i === at}
                className={hits.length + i === at ? 'is-current' : ''}
                onMouseMove={() => setAt(hits.length + i)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => perform(command)}
              >
                <Flash20Regular />
                <span className="dr-search-text">
                  <span className="dr-search-name">{command.label}</span>
                </span>
                {command.hint !== undefined && <kbd>{command.hint}</kbd>}
              </div>
            ))}
          </div>
          {rows === 0 && (
            <p className="dr-search-none">
              {found.failed ? t('drive.search.failed') : t('drive.search.none', { keyword: found.keyword })}
            </p>
          )}
          {rows > 0 && <p className="dr-search-keys">{t('drive.search.keys')}</p>}
        </div>
      )}
    </div>
  )
}
