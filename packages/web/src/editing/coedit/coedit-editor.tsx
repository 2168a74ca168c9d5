// The co-editing window of a file: members, status and the editor.
import type { CoeditMember, ItemRecord } from '@cloudoc/contract'
import { extNameOf } from '@cloudoc/domain'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { api, CallError } from '../../core/call/api.ts'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { connectionStore } from '../../core/push/connection.ts'
import { sessionStore } from '../../core/session/session.ts'
import { type Draft, draftsOf } from '../../core/storage/drafts.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { FileIcon } from '../../items/item/file-icon.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { Dismiss20Regular, Save20Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { fetchContent } from '../shared/edit-transfers.ts'
import { draftAsFile } from '../shared/editor-formats.ts'
import { CommandButtons, useEditorTools, useWheelZoom, ZoomButtons } from '../shared/editor-tools.tsx'
import { claimFile, registerEditor } from '../shared/open-editors.ts'
import { saveCopy } from '../shared/save-copy.ts'
import { memberColours } from './awareness.ts'
import type { CoeditAdapter, CoeditInstance } from './coedit-adapter.ts'
import { type CoeditSession, isAway, type JoinedSession, openCoeditSession } from './coedit-session.ts'
import { sessionOpened } from './open-sessions.ts'
import '../shared/editor-frame.css'
import './coedit-editor.css'

export interface CoeditEditorProps {
  readonly item: ItemRecord
  readonly joined: JoinedSession
}

/**
 * The draft in this browser. `isApart`: it cannot be merged into the current document and can only be saved as a copy.
 */
interface Left {
  readonly draft: Draft
  readonly isApart: boolean
}

interface Opened {
  readonly here: CoeditSession
  readonly kind: CoeditAdapter
  readonly paper: CoeditInstance
  /** The draft in this browser that is not sent automatically; undefined if there is none. */
  readonly left: Left | undefined
  readonly copy: () => void
  readonly close: () => Promise<void>
}

/** The document has a new generation, and the window follows it; `left` is the draft that the user is asked about. */
interface FollowedSession {
  readonly here: CoeditSession
  readonly left: Left | undefined
}

/** The session to open; `put` is the draft of the previous one that is to be written into it. */
interface Opening {
  readonly joined: JoinedSession
  readonly put?: string
}

/** The editors by codec, loaded on demand. */
const kindOf: Readonly<Record<JoinedSession['shape'], () => Promise<CoeditAdapter>>> = {
  text: async () => (await import('./text-adapter.tsx')).textAdapter,
  sheet: async () => (await import('./workbook-adapter.tsx')).workbookAdapter,
  doc: async () => (await import('./document-adapter.tsx')).documentAdapter,
  slides: async () => (await import('./slides-adapter.tsx')).slidesAdapter,
}

const shownPeople = 5
const clock = (ms: number): string => new Date(ms).toLocaleTimeString('zh-CN', { hour12: false })
const accountIdNow = (): number => sessionStore.getState().session?.account.userId ?? 0

export function CoeditEditor({ item, joined, close, setDirty }: WindowProps<CoeditEditorProps>): ReactNode {
  const t = useT()
  const place = useRef<HTMLDivElement>(null)
  const [opened, setOpened] = useState<Opened>()
  const [left, setLeft] = useState<Left>()
  const [failure, setFailure] = useState('')
  // A window stays on the file that it was opened with.
  const [given] = useState({ item, setDirty })
  const [opening, setOpening] = useState<Opening>({ joined })
  useEffect(() => {
    let isGone = false
    let end: (() => Promise<void>) | undefined
    const follow = ({ here, left: asked }: FollowedSession): void => {
      if (isGone) return
      setOpened((now) => now && { ...now, here })
      if (asked !== undefined) setLeft(asked)
    }
    open({ ...given, ...opening, follow }, place)
      .then((result) => {
        if (isGone) return void result.close()
        end = result.close
        setOpened(result)
        setLeft(result.left)
      })
      .catch((error: unknown) => setFailure(error instanceof Error ? error.message : ''))
    return () => {
      isGone = true
      void end?.()
    }
  }, [given, opening])
  // Focuses the editor once it is rendered.
  useEffect(() => {
    opened?.paper.focus()
  }, [opened])

  const save = async (): Promise<void> => {
    try {
      await opened?.here.save()
    } catch (error) {
      notifyFailure(error)
    }
  }
  const { fId: fileId, fName } = item
  /** Applies or discards the draft. A workbook is joined again, with the changes of the other users. */
  const answerKept = async (keeps: boolean): Promise<void> => {
    try {
      if (opened === undefined) return
      const again = await api.of(item).joinTogether({ fileId }, { quiet: true })
      // The document may have a new generation since the offer.
      const draft = left?.draft ?? draftNow(item, opened)
      const offered = keeps ? opened.kind.offered?.(draft, again) : { draft: '', lost: '' }
      if (offered === undefined) return setLeft({ draft, isApart: true })
      if (offered.lost !== '') notifyFailure(say('here.kept.lost', { text: isolated(offered.lost) }))
      setOpened(undefined)
      await opened.close()
      if (!keeps) await draftsOf(accountIdNow()).drop(fileId)
      setOpening({ joined: again, put: offered.draft })
    } catch (error) {
      notifyFailure(error)
    }
  }
  const answerLeft = async (draft: Draft, keeps: boolean): Promise<void> => {
    try {
      if (keeps) saveCopy(fName, await draftAsFile(fName, draft.text, await baseOf(draft, opened?.here)))
      setLeft(undefined)
      await draftsOf(accountIdNow()).drop(draft.fileId)
    } catch (error) {
      notifyFailure(error)
    }
  }
  const tools = useEditorTools(item, opened?.paper, () => void save())
  const frame = useRef<HTMLDivElement>(null)
  useWheelZoom(frame, tools.zoomBy)
  const Body = opened?.paper.Body
  const Foot = opened?.paper.Foot
  const isOpen = opened !== undefined

  return (
    <div className="ed" ref={frame} onKeyDown={tools.onKeyDown}>
      <header className="ed-head">
        <FileIcon ext={extNameOf(fName)} />
        <b title={fName}>{fName}</b>
        {isOpen && <State {...opened} />}
        <span className="ed-tools">
          {isOpen && <People here={opened.here} />}
          <CommandButtons work={opened?.paper} tools={tools} isEditable={isOpen} />
          {isOpen && <SaveButton here={opened.here} save={save} />}
          <IconButton label={t('drive.close')} icon={<Dismiss20Regular />} onClick={() => close()} />
        </span>
      </header>
      {isOpen && <Why opened={opened} />}
      {isOpen && left === undefined && <Asks here={opened.here} answer={answerKept} />}
      {isOpen && left !== undefined && (
        <div className="ed-notice is-draft" role="status">
          <span>{t(left.isApart ? 'here.kept' : 'here.kept.cells', { time: clock(left.draft.changedAt) })}</span>
          <Button size="small" onClick={() => void (left.isApart ? answerLeft(left.draft, false) : answerKept(false))}>
            {t('here.kept.discard')}
          </Button>
          <Button
            size="small"
            kind="primary"
            onClick={() => void (left.isApart ? answerLeft(left.draft, true) : answerKept(true))}
          >
            {t(left.isApart ? 'here.kept.save' : 'here.asks.write')}
          </Button>
        </div>
      )}
      {failure !== '' && <p className="ed-notice is-danger">{failure}</p>}
      {!isOpen && failure === '' && <Spinner />}
      <div className="ed-text hr-text" ref={place} style={{ fontSize: `${(14 * tools.zoom) / 100}px` }}>
        {Body !== undefined && <Body zoom={tools.zoom} />}
      </div>
      <footer className="ed-foot">
        {Foot !== undefined && <Foot />}
        {isOpen && <ZoomButtons {...tools} />}
      </footer>
    </div>
  )
}

interface OpenOptions extends Pick<WindowProps<CoeditEditorProps>, 'item' | 'setDirty'>, Opening {
  readonly follow: (to: FollowedSession) => void
}

/** Opens the session and the editor of a file. */
async function open(
  { item, joined, put, setDirty, follow }: OpenOptions,
  place: React.RefObject<HTMLDivElement | null>,
): Promise<Opened> {
  const { fId: fileId, fName: fileName } = item
  const accountId = accountIdNow()
  const drafts = draftsOf(accountId)
  const kind = await kindOf[joined.shape]()
  // Only one tab stores the draft; several would overwrite each other.
  const leave = await claimFile(accountId, fileId)
  const kept = leave === undefined ? undefined : await drafts.of(fileId)
  const isOfThis =
    kind.merges && kept?.together?.generation === joined.generation && kept.together.client === joined.client
  const made: { paper?: CoeditInstance } = {}
  const start = ({ generation, client, ...of }: JoinedSession, unsent?: Uint8Array): CoeditSession => {
    const here: CoeditSession = openCoeditSession(
      { generation, client, ...of },
      {
        join: (known) => api.of(item).joinTogether({ fileId, ...known }, { quiet: true }),
        edit: (change) => api.of(item).editTogether({ fileId, ...change }, { quiet: true }),
        present: (where) => api.of(item).presentTogether({ fileId, ...where }, { quiet: true }),
        save: (own) => api.of(item).saveTogether({ fileId, generation: own }, { quiet: true }),
        storeUnsent: async (own) => {
          if (leave === undefined || made.paper === undefined) return
          const { version } = here.store.getState()
          const draft = { fileId, fileName, version, text: made.paper.draft(), changedAt: Date.now() }
          await drafts.keep(
            kind.merges ? { ...draft, together: { generation, client, unsent: own } } : { ...draft, generation },
          )
        },
        dropUnsent: async () => {
          if (leave !== undefined && !here.isDirty()) await drafts.drop(fileId)
        },
        isPushed: () => connectionStore.getState().channel === 'online',
        ...(kind.clashes === undefined ? {} : { clashes: () => kind.clashes?.(here) === true }),
        ...(kind.merges && kind.restructures !== true ? {} : { renewed: () => void renew() }),
        texts: { noRight: say('here.noRight') },
      },
      unsent,
    )
    return here
  }
  const live = { here: start(joined, isOfThis ? kept?.together?.unsent : undefined) }
  const parent = place.current
  const end = async (): Promise<void> => {
    await live.here.close()
    leave?.()
  }
  if (parent === null) throw new Error('the window has gone')
  let closing: Promise<void> | undefined
  let renewing: Promise<void> | undefined
  const renew = (): Promise<void> | undefined => {
    if (made.paper?.rebase === undefined || closing !== undefined) return undefined
    renewing ??= begunAnew().finally(() => {
      renewing = undefined
    })
    return renewing
  }
  /** Continues with the new generation of the document. */
  const begunAnew = async (): Promise<void> => {
    const { here: before } = live
    const found = await newestOf(item, before, () => closing !== undefined)
    if (found === undefined || closing !== undefined || made.paper?.rebase === undefined) return
    const here = start(found.joined)
    const isAsked = !kind.merges && ['offline', 'asks'].includes(before.store.getState().status)
    const text = made.paper.rebase({ session: here, file: found.file, rebases: found.turns, isAsked })
    before.retire()
    live.here = here
    for (const each of ended.splice(0)) each()
    ended.push(...listen())
    const { version, generation } = found.joined
    const draft = { fileId, fileName, version, generation, text, changedAt: Date.now() }
    if (text !== '' && leave !== undefined) await drafts.keep(draft)
    follow({ here, left: text === '' ? undefined : { draft, isApart: false } })
    settle()
  }
  const paper = await kind
    .open({
      ...{ item, joined, session: live.here, parent },
      onChange: () => setDirty(live.here.isDirty()),
      renew: () => void renew(),
    })
    .catch(async (error: unknown) => {
      await end()
      throw error
    })
  made.paper = paper
  const copy = (): void => saveCopy(fileName, paper.bytes())
  const isReadOnlyNow = (): boolean => {
    const { status, why } = live.here.store.getState()
    return status === 'over' || why !== '' || (!kind.merges && (status === 'offline' || status === 'asks'))
  }
  let isReadOnly = isReadOnlyNow()
  paper.setReadOnly(isReadOnly)
  const settle = (): void => {
    setDirty(live.here.isDirty())
    if (isReadOnlyNow() === isReadOnly) return
    isReadOnly = isReadOnlyNow()
    // The state may change during an update of the editor.
    queueMicrotask(() => paper.setReadOnly(isReadOnly))
  }
  settle()
  if (put !== undefined && put !== '') kind.put?.(live.here, put)
  const listen = (): (() => void)[] => {
    const { here } = live
    return [
      watchComposing(parent, here),
      here.store.subscribe(settle),
      sessionOpened(fileId, here),
      registerEditor(fileId, { lockLost: (why) => here.ended(why), asked: () => undefined, saveCopy: copy }),
    ]
  }
  const ended = listen()
  const keepNow = (): void => void live.here.keepNow()
  window.addEventListener('pagehide', keepNow)
  document.addEventListener('visibilitychange', keepNow)
  return {
    here: live.here,
    kind,
    paper,
    left:
      isOfThis || put !== undefined || kept === undefined
        ? undefined
        : { draft: kept, isApart: kind.merges || kind.offered?.(kept, joined) === undefined },
    copy,
    close() {
      closing ??= (async () => {
        window.removeEventListener('pagehide', keepNow)
        document.removeEventListener('visibilitychange', keepNow)
        for (const each of ended) each()
        await end()
        paper.close()
      })()
      return closing
    },
  }
}

/** The unsent changes of the open session as a draft. */
function draftNow({ fId: fileId, fName: fileName }: ItemRecord, { here, paper }: Opened): Draft {
  const { version } = here.store.getState()
  return { fileId, fileName, version, generation: here.generation, text: paper.draft(), changedAt: Date.now() }
}

/** The base content of a draft; the newest version if the base version was temporary and is gone. */
async function baseOf(draft: Draft, here: CoeditSession | undefined): Promise<Uint8Array> {
  try {
    return await fetchContent(draft, draft.version)
  } catch (error) {
    const isGone = error instanceof CallError && error.code === 'versionMissing'
    if (!isGone || here === undefined) throw error
    return fetchContent(draft, here.store.getState().version)
  }
}

const retryAfterMs = 1000

/**
 * Joins the current generation of the document, and returns the operations since the previous one. Undefined if it does
 * not derive from the previous one, or if the window is closed.
 */
async function newestOf(item: ItemRecord, before: CoeditSession, isLeft: () => boolean) {
  for (;;) {
    try {
      const joined = await api.of(item).joinTogether({ fileId: item.fId, client: before.client }, { quiet: true })
      if (joined.generation === before.generation) return undefined
      const from = joined.turns.findIndex((turn) => turn.from === before.generation)
      if (from < 0) {
        before.ended(say('here.turned.other'))
        return undefined
      }
      const file = await fetchContent({ fileId: item.fId, fileName: item.fName }, joined.version)
      return { joined, file, turns: joined.turns.slice(from) }
    } catch (error) {
      // That version was temporary, and a newer one has replaced it.
      const isOlder = error instanceof CallError && error.code === 'versionMissing'
      if (!isOlder && !(error instanceof CallError && isAway(error))) {
        before.ended(error instanceof Error ? error.message : '')
        return undefined
      }
    }
    if (isLeft()) return undefined
    await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
  }
}

/** Delay after a composition ends, so that the editor has applied the chosen text. */
const composedAfterMs = 80

/** Tells the session when an input method composition starts and ends in an editor. */
function watchComposing(surface: HTMLElement, here: CoeditSession): () => void {
  const done = new AbortController()
  let ending: ReturnType<typeof setTimeout> | undefined
  const begin = (): void => {
    clearTimeout(ending)
    ending = undefined
    here.composing(true)
  }
  const end = (): void => {
    ending ??= setTimeout(() => {
      ending = undefined
      here.composing(false)
    }, composedAfterMs)
  }
  const { signal } = done
  surface.addEventListener('compositionstart', begin, { signal })
  surface.addEventListener('compositionend', end, { signal })
  // If the composed element is removed, there is no compositionend event.
  surface.addEventListener('focusout', end, { signal })
  return () => {
    done.abort()
    clearTimeout(ending)
  }
}

function State({ here, kind }: Pick<Opened, 'here' | 'kind'>): ReactNode {
  const t = useT()
  const { status, version, isVersion } = useStore(here.store)
  const words =
    status === 'stored' && isVersion
      ? t('here.state.version', { n: version })
      : t(status === 'offline' && !kind.merges ? 'here.state.offline.read' : `here.state.${status}`)
  const look = status === 'stored' ? 'saved' : status === 'sending' ? status : 'offline'
  return (
    <span className={`ed-state is-${look}`} role="status">
      {words}
    </span>
  )
}

function SaveButton({ here, save }: { readonly here: CoeditSession; readonly save: () => Promise<void> }): ReactNode {
  const t = useT()
  const { status, why } = useStore(here.store)
  if (status === 'over' || why !== '') return undefined
  return (
    <Button kind="primary" icon={<Save20Regular />} onClick={() => void save()}>
      {t('editor.save')}
    </Button>
  )
}

/** Asks the user whether changes that were not sent while the server was unreachable overwrite the current content. */
function Asks({
  here,
  answer,
}: {
  readonly here: CoeditSession
  readonly answer: (keeps: boolean) => Promise<void>
}): ReactNode {
  const t = useT()
  const { status } = useStore(here.store)
  if (status !== 'asks') return undefined
  return (
    <div className="ed-notice is-draft" role="alert">
      <span>{t('here.asks')}</span>
      <Button size="small" onClick={() => void answer(false)}>
        {t('here.kept.discard')}
      </Button>
      <Button size="small" kind="primary" onClick={() => void answer(true)}>
        {t('here.asks.write')}
      </Button>
    </div>
  )
}

/** Explains why the document is read-only, and offers a copy of unsent changes. */
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

/** The members, each user once, in the color of their cursor. */
function People({ here }: { readonly here: CoeditSession }): ReactNode {
  const t = useT()
  const { members } = useStore(here.store)
  const own = here.doc.clientID
  const colourOf = memberColours(members)
  const byPerson = [...new Map(members.map((member) => [member.userId, member])).values()]
  const nameOf = ({ name, canWrite, client }: CoeditMember): string =>
    client === own ? t('here.self', { who: name }) : canWrite ? name : t('here.reads', { who: name })
  const rest = byPerson.slice(shownPeople)
  return (
    <span className="hr-people" role="group" aria-label={t('here.people', { names: byPerson.map(nameOf).join('、') })}>
      {byPerson.slice(0, shownPeople).map((member) => (
        <span
          key={member.userId}
          className="hr-person"
          title={nameOf(member)}
          style={{ background: colourOf.get(member.client) }}
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
