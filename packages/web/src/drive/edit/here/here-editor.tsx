// A text that several people write at once: who is there, where they are, how it stands, and the text.
import type { ItemRecord, TogetherMember } from '@cloudoc/contract'
import { extNameOf, writeText } from '@cloudoc/domain'
import { keymap } from '@codemirror/view'
import {
  ArrowRedo20Regular,
  ArrowUndo20Regular,
  Dismiss20Regular,
  Save20Regular,
  Search20Regular,
} from '@fluentui/react-icons'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { yCollab, yUndoManagerKeymap } from 'y-codemirror.next'
import * as Y from 'yjs'
import { useStore } from 'zustand'
import { api } from '../../../core/call/api.ts'
import { t as say, useT } from '../../../core/i18n/i18n.ts'
import { connectionStore } from '../../../core/push/connection.ts'
import { sessionStore } from '../../../core/session/session.ts'
import { type Draft, draftsOf } from '../../../core/storage/drafts.ts'
import type { WindowProps } from '../../../core/windows/index.ts'
import { Button, IconButton } from '../../../kit/button.tsx'
import { tell } from '../../actions/operations.ts'
import { FileIcon } from '../../item/file-icon.tsx'
import { editorOpened, takeFile } from '../open-editors.ts'
import { saveCopy } from '../save-copy.ts'
import { openSurface, type Surface } from '../surface.ts'
import { hereOpened } from './open-here.ts'
import { colourOf } from './others.ts'
import { type Here, type Joined, openHere } from './session.ts'
import '../edit.css'
import './here.css'

export interface EditHereProps {
  readonly item: ItemRecord
  readonly joined: Joined
}

interface Opened {
  readonly here: Here
  readonly surface: Surface
  /** Of a document that is no more; undefined where there is none. */
  readonly left: Draft | undefined
  readonly copy: () => void
  readonly close: () => Promise<void>
}

const shownPeople = 5
const clock = (ms: number): string => new Date(ms).toLocaleTimeString('zh-CN', { hour12: false })
const ends: Readonly<Record<string, string>> = { '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' }

/** The editor. */
export function HereEditor({ item, joined, close, setDirty }: WindowProps<EditHereProps>): ReactNode {
  const t = useT()
  const place = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Opened>()
  const [left, setLeft] = useState<Draft>()
  const [at, setAt] = useState({ line: 1, column: 1 })
  // A window is opened on one document and stays on it.
  const [given] = useState({ item, joined, setDirty })
  useEffect(() => {
    let isGone = false
    let end: (() => Promise<void>) | undefined
    open(given, place, (line, column) => setAt({ line, column }))
      .then((result) => {
        if (isGone) return void result.close()
        end = result.close
        setOpened(result)
        setLeft(result.left)
      })
      .catch(tell)
    return () => {
      isGone = true
      void end?.()
    }
  }, [given])

  const save = async (): Promise<void> => {
    try {
      await opened?.here.save()
    } catch (error) {
      tell(error)
    }
  }
  const answerLeft = (draft: Draft, keeps: boolean): void => {
    if (keeps) saveCopy(item.fName, writeText(draft.text, joined.form))
    setLeft(undefined)
    void draftsOf(sessionStore.getState().session?.account.userId ?? 0).drop(draft.fileId)
  }
  const onKeyDown = (event: React.KeyboardEvent): void => {
    // Esc closes what is found, never the text.
    if (event.key === 'Escape') event.stopPropagation()
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void save()
  }
  const { form } = joined

  return (
    <div className="ed" onKeyDown={onKeyDown}>
      <header className="ed-head">
        <FileIcon ext={extNameOf(item.fName)} />
        <b title={item.fName}>{item.fName}</b>
        {opened !== undefined && <State here={opened.here} />}
        <span className="ed-tools">
          {opened !== undefined && <People here={opened.here} />}
          <IconButton
            label={t('editor.undo')}
            hint="Ctrl+Z"
            icon={<ArrowUndo20Regular />}
            disabled={opened === undefined}
            onClick={() => opened?.surface.undo()}
          />
          <IconButton
            label={t('editor.redo')}
            hint="Ctrl+Y"
            icon={<ArrowRedo20Regular />}
            disabled={opened === undefined}
            onClick={() => opened?.surface.redo()}
          />
          <IconButton
            label={t('editor.find')}
            hint="Ctrl+F"
            icon={<Search20Regular />}
            disabled={opened === undefined}
            onClick={() => opened?.surface.find()}
          />
          {opened !== undefined && <SaveButton here={opened.here} save={save} />}
          <IconButton label={t('drive.close')} icon={<Dismiss20Regular />} onClick={() => close()} />
        </span>
      </header>
      {opened !== undefined && <Why opened={opened} />}
      {left !== undefined && (
        <div className="ed-notice is-draft" role="status">
          <span>{t('here.kept', { time: clock(left.changedAt) })}</span>
          <Button size="small" onClick={() => answerLeft(left, false)}>
            {t('here.kept.discard')}
          </Button>
          <Button size="small" kind="primary" onClick={() => answerLeft(left, true)}>
            {t('here.kept.save')}
          </Button>
        </div>
      )}
      <div className="ed-text hr-text" ref={place} />
      <footer className="ed-foot">
        <span>{t('editor.at', at)}</span>
        <span>{`${form.encoding.toUpperCase()}${form.hasMark ? ' BOM' : ''}`}</span>
        <span>{ends[form.end] ?? 'LF'}</span>
      </footer>
    </div>
  )
}

/** Puts a document on a surface. */
async function open(
  { item, joined, setDirty }: EditHereProps & Pick<WindowProps<EditHereProps>, 'setDirty'>,
  place: React.RefObject<HTMLDivElement | null>,
  onMove: (line: number, column: number) => void,
): Promise<Opened> {
  const { fId: fileId, fName: fileName } = item
  const accountId = sessionStore.getState().session?.account.userId ?? 0
  const drafts = draftsOf(accountId)
  // One tab keeps what was not sent; the others would write over it.
  const leave = await takeFile(accountId, fileId)
  const kept = leave === undefined ? undefined : await drafts.of(fileId)
  const isOfThis = kept?.together?.generation === joined.generation && kept.together.client === joined.client
  const { generation, client } = joined
  const here = openHere(
    joined,
    {
      join: (known) => api.joinTogether({ fileId, ...known }, { quiet: true }),
      edit: (change) => api.editTogether({ fileId, ...change }, { quiet: true }),
      present: (where) => api.presentTogether({ fileId, ...where }, { quiet: true }),
      save: (of) => api.saveTogether({ fileId, generation: of }, { quiet: true }),
      keep: async (unsent, text) => {
        if (leave === undefined) return
        const { version } = here.store.getState()
        const together = { generation, client, unsent }
        await drafts.keep({ fileId, fileName, version, text, changedAt: Date.now(), together })
      },
      dropKept: async () => {
        if (leave !== undefined && !here.isDirty()) await drafts.drop(fileId)
      },
      isTold: () => connectionStore.getState().channel === 'online',
      words: { noRight: say('here.noRight') },
    },
    isOfThis ? kept.together?.unsent : undefined,
  )
  const parent = place.current
  if (parent === null) throw new Error('the window has gone')
  const undoing = new Y.UndoManager(here.text)
  const surface = openSurface({
    parent,
    text: here.text.toJSON(),
    ext: extNameOf(fileName),
    label: fileName,
    onMove,
    onChange: () => setDirty(here.isDirty()),
    shared: {
      binding: [yCollab(here.text, here.others, { undoManager: undoing }), keymap.of(yUndoManagerKeymap)],
      undo: () => undoing.undo(),
      redo: () => undoing.redo(),
    },
  })
  const copy = (): void =>
    saveCopy(fileName, writeText(here.text.toJSON().replaceAll('\n', joined.form.end), joined.form))
  let isReadOnly = here.store.getState().why !== ''
  surface.setReadOnly(isReadOnly)
  const settle = (): void => {
    const { status, why } = here.store.getState()
    const is = status === 'over' || why !== ''
    setDirty(here.isDirty())
    if (is === isReadOnly) return
    isReadOnly = is
    // It may be told in the middle of a change of the surface.
    queueMicrotask(() => surface.setReadOnly(isReadOnly))
  }
  settle()
  surface.focus()
  const ended = [
    here.store.subscribe(settle),
    hereOpened(fileId, here),
    editorOpened(fileId, { lockLost: (why) => here.ended(why), asked: () => undefined, saveCopy: copy }),
  ]
  const keepNow = (): void => void here.keepNow()
  window.addEventListener('pagehide', keepNow)
  document.addEventListener('visibilitychange', keepNow)
  return {
    here,
    surface,
    left: isOfThis ? undefined : kept,
    copy,
    async close() {
      window.removeEventListener('pagehide', keepNow)
      document.removeEventListener('visibilitychange', keepNow)
      for (const end of ended) end()
      surface.close()
      await here.close()
      leave?.()
    },
  }
}

function State({ here }: { readonly here: Here }): ReactNode {
  const t = useT()
  const { status, version, isVersion } = useStore(here.store)
  const words = status === 'stored' && isVersion ? t('here.state.version', { n: version }) : t(`here.state.${status}`)
  const look = status === 'stored' ? 'saved' : status === 'offline' || status === 'over' ? 'offline' : status
  return (
    <span className={`ed-state is-${look}`} role="status">
      {words}
    </span>
  )
}

function SaveButton({ here, save }: { readonly here: Here; readonly save: () => Promise<void> }): ReactNode {
  const t = useT()
  const { status, why } = useStore(here.store)
  if (status === 'over' || why !== '') return undefined
  return (
    <Button kind="primary" icon={<Save20Regular />} onClick={() => void save()}>
      {t('editor.save')}
    </Button>
  )
}

/** Why it can only be read, and where what was typed goes. */
function Why({ opened: { here, copy } }: { readonly opened: Opened }): ReactNode {
  const t = useT()
  const { status, why } = useStore(here.store)
  if (why === '') return undefined
  const isUnsent = here.isDirty()
  const words = status !== 'over' ? why : t(isUnsent ? 'here.over.unsent' : 'here.over', { why })
  return (
    <div className="ed-notice is-warning" role="alert">
      <span>{words}</span>
      {(isUnsent || status === 'over') && (
        <Button size="small" onClick={copy}>
          {t('here.copy')}
        </Button>
      )}
    </div>
  )
}

/** Who takes part, each once, in the colour of their cursor. */
function People({ here }: { readonly here: Here }): ReactNode {
  const t = useT()
  const { members } = useStore(here.store)
  const own = here.doc.clientID
  const byPerson = [...new Map(members.map((member) => [member.userId, member])).values()]
  const nameOf = ({ name, canWrite, client }: TogetherMember): string =>
    client === own ? t('here.self', { who: name }) : canWrite ? name : t('here.reads', { who: name })
  const rest = byPerson.slice(shownPeople)
  return (
    <span className="hr-people" role="group" aria-label={t('here.people', { names: byPerson.map(nameOf).join('、') })}>
      {byPerson.slice(0, shownPeople).map((member) => (
        <span
          key={member.userId}
          className="hr-person"
          title={nameOf(member)}
          style={{ background: colourOf(member.client) }}
        >
          {Array.from(member.name).at(-1)}
        </span>
      ))}
      {rest.length > 0 && (
        <span
          className="hr-person is-more"
          title={rest.map(nameOf).join('、')}
          aria-label={t('here.more', { n: rest.length })}
        >
          +{rest.length}
        </span>
      )}
    </span>
  )
}
