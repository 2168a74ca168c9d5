// The visitor page, from the address of a link to its content: the state of the link, the admission, then a file, a
// folder or a file collection.
import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { FileView, prefetchViewer } from './file-view.tsx'
import { FolderView, UploadView } from './folder-view.tsx'
import { dateTimeText, type Labels, type Language, labelsIn, languageNow, validityText } from './labels.ts'
import { MailCode, type MailCodeCredentials } from './mail-code.tsx'
import { Report } from './report.tsx'
import { isCollecting, TopBar } from './top-bar.tsx'
import { enterLink, readLink, refusals, type VisitCredentials, type VisitedLink, VisitRefused } from './visitor-api.ts'
import './visit.css'

const retryMs = 2500
const mostTries = 8

export function Visit(): ReactNode {
  const [language, setLanguage] = useState<Language>(languageNow)
  const [link, setLink] = useState<VisitedLink>()
  const [failure, setFailure] = useState<string>()
  const say = labelsIn(language)
  const show = useCallback((read: VisitedLink) => {
    setLink(read)
    prefetchViewer(read).catch(() => undefined)
    setFailure(undefined)
  }, [])
  const load = useCallback(async () => {
    try {
      show(await readLink())
    } catch (error) {
      if (error instanceof VisitRefused) setLink(gone)
      else setFailure(error instanceof Error ? error.message : String(error))
    }
  }, [show])
  useEffect(() => void load(), [load])
  const turn = (): void => {
    const next = language === 'zh' ? 'en' : 'zh'
    localStorage.setItem('locale', next)
    document.documentElement.lang = next === 'en' ? 'en' : 'zh-CN'
    setLanguage(next)
  }
  useEffect(() => {
    document.title = link?.inside ? link.fName : `${link?.company ?? ''} ${labelsIn(language)('product')}`
  }, [link, language])
  const bar = { link, say, onTurn: turn }
  const isInside = failure === undefined && link?.state === 'open' && link.inside
  const onGone = (): void => void load()
  return (
    <div className="vi-page">
      {!isInside && <TopBar {...bar} />}
      {failure !== undefined ? (
        <Dead sign="failed" title={say('failed', { why: failure })} text="">
          <button type="button" className="vi-main" onClick={() => void load()}>
            {say('retry')}
          </button>
        </Dead>
      ) : link === undefined ? (
        <p className="vi-wait" role="status">
          {say('loading')}
        </p>
      ) : link.state !== 'open' ? (
        <DeadLink link={link} say={say} again={() => void load()} />
      ) : !link.inside ? (
        <LinkEntry link={link} say={say} language={language} onIn={show} onDead={load} />
      ) : link.fType === 1 ? (
        <FileView {...bar} link={link} onGone={onGone} />
      ) : isCollecting(link) ? (
        <UploadView {...bar} link={link} onGone={onGone} />
      ) : (
        <FolderView {...bar} link={link} onGone={onGone} />
      )}
    </div>
  )
}

const gone: VisitedLink = {
  state: 'gone',
  inside: false,
  company: '',
  creatorName: '',
  fType: 1,
  startTime: 0,
  endTime: 0,
  needsPassword: false,
  needsAccount: false,
  needsMail: false,
  needsName: false,
  collects: false,
  fId: 0,
  fName: '',
  fileSize: 0,
  extName: '',
  modifyTime: 0,
  version: 0,
  mayEdit: false,
  mayPrint: false,
  note: '',
  rights: 0,
  downloadsLeft: null,
  visitor: '',
}

/** The icons above the text of a page that opens nothing. */
const signs = {
  failed: 'M12 7v6M12 16.2v.6M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  notYet: 'M12 7v5.2l3.4 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  expired: 'M7 3.5h10M7 20.5h10M8.5 3.5c0 5 7 5.5 7 8.5s-7 3.5-7 8.5M15.5 3.5c0 5-7 5.5-7 8.5s7 3.5 7 8.5',
  usedUp: 'M12 4v10M7.8 10l4.2 4.2 4.2-4.2M5 19.5h14',
  approval: 'M7 3.5h10v17H7zM9.5 8h5M9.5 11.5h5M9.5 15h3',
  gone: 'M5.7 5.7l12.6 12.6M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
} as const

interface DeadProps {
  readonly sign: keyof typeof signs
  readonly title: string
  readonly text: string
  readonly children?: ReactNode
}

function Dead({ sign, title, text, children }: DeadProps): ReactNode {
  return (
    <main className="vi-card vi-dead" role="alert">
      <svg viewBox="0 0 24 24" aria-hidden="true" data-sign={sign}>
        <path d={signs[sign]} />
      </svg>
      <h1>{title}</h1>
      <p>{text}</p>
      {children}
    </main>
  )
}

interface OfLink {
  readonly link: VisitedLink
  readonly say: Labels
}

function DeadLink({ link, say, again }: OfLink & { readonly again: () => void }): ReactNode {
  const { state, startTime, endTime, creatorName: who } = link
  if (state === 'open') return null
  const time = dateTimeText(state === 'notYet' ? startTime : endTime)
  return (
    <Dead sign={state} title={say(state)} text={say(`${state}More`, { time, who })}>
      {state !== 'gone' && (
        <button type="button" onClick={again}>
          {say('refresh')}
        </button>
      )}
    </Dead>
  )
}

/**
 * Opens a link with retries. The server throttles a link that is under a guessing attack, and admits the visitor after
 * a few seconds.
 */
async function tryIn(shown: VisitCredentials): Promise<VisitedLink> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await enterLink(shown)
    } catch (error) {
      if (!(error instanceof VisitRefused) || error.result !== refusals.tooOften || tries >= mostTries) throw error
      await new Promise((resolve) => setTimeout(resolve, retryMs))
    }
  }
}

interface LinkEntryProps extends OfLink {
  readonly language: Language
  readonly onIn: (link: VisitedLink) => void
  readonly onDead: () => Promise<void>
}

function LinkEntry({ link, say, language, onIn, onDead }: LinkEntryProps): ReactNode {
  const {
    needsPassword,
    needsName,
    collects,
    needsAccount,
    needsMail,
    creatorName: who,
    company,
    fType,
    endTime,
  } = link
  const [password, setPassword] = useState('')
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [outside, setOutside] = useState(false)
  const [byMail, setByMail] = useState(needsMail)
  const [mailed, setMailed] = useState<MailCodeCredentials>()

  const open = async (shown: VisitCredentials): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      onIn(await tryIn(shown))
    } catch (error) {
      const result = error instanceof VisitRefused ? error.result : 0
      if (result === refusals.outside) setOutside(true)
      else if (result === refusals.expired || result === refusals.gone) await onDead()
      else
        setProblem(
          result === refusals.wrongPassword
            ? say('wrongPassword')
            : result === refusals.wrongCode
              ? say('wrongCode')
              : result === refusals.tooOften
                ? say('tooOften')
                : result === refusals.noPermission
                  ? say('notForYou')
                  : say('failed', { why: error instanceof Error ? error.message : '' }),
        )
    }
    setBusy(false)
  }
  const needsNothing = !needsPassword && !needsName && !needsAccount && !needsMail
  // If nothing is asked, a visible page opens the link automatically. A program that only fetches the page does not.
  const enter = useEffectEvent(() => void open({ password: '', name: '' }))
  useEffect(() => {
    if (needsNothing && document.visibilityState === 'visible') enter()
  }, [needsNothing])
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault()
    void open({ password, name: name.trim(), ...(byMail ? mailed : {}) })
  }
  return (
    <main className="vi-way">
      <div className="vi-card">
        <div className="vi-who">
          <i aria-hidden="true">{who.slice(-2)}</i>
          <div>
            <h1>
              {collects ? say('asks', { who }) : say('shares', { who, what: say(fType === 2 ? 'folder' : 'file') })}
            </h1>
            <small>{[company, validityText(endTime, say)].filter(Boolean).join(' · ')}</small>
          </div>
        </div>
        <form onSubmit={submit}>
          {outside && !byMail && (
            <p>
              {say('account')}{' '}
              <a href="/doc/login" target="_blank" rel="noreferrer">
                {say('signIn')}
              </a>
            </p>
          )}
          {needsPassword && (
            <label>
              <span>{say('password')}</span>
              <input
                value={password}
                maxLength={4}
                autoFocus
                autoComplete="off"
                spellCheck={false}
                aria-invalid={problem !== undefined}
                onChange={({ target }) => setPassword(target.value)}
              />
              <small>{say('passwordHint')}</small>
            </label>
          )}
          {needsName && (
            <label>
              <span>{say('name')}</span>
              <input value={name} maxLength={60} autoComplete="name" onChange={({ target }) => setName(target.value)} />
              <small>{say('nameHint')}</small>
            </label>
          )}
          {byMail && <MailCode say={say} language={language} onChange={setMailed} />}
          {problem !== undefined && (
            <p className="vi-problem" role="alert">
              {problem}
            </p>
          )}
          <button
            type="submit"
            className="vi-main"
            disabled={
              busy ||
              (needsPassword && password === '') ||
              (needsName && name.trim() === '') ||
              (byMail && mailed === undefined)
            }
          >
            {busy ? say('loading') : say('open')}
          </button>
          {needsMail && needsAccount && (
            <button type="button" className="vi-other" onClick={() => setByMail(!byMail)}>
              {say(byMail ? 'byAccount' : 'byMail')}
            </button>
          )}
        </form>
        <small>{say('noted')}</small>
      </div>
      <div className="vi-wrong">
        {say('isWrong')} <Report say={say} />
      </div>
    </main>
  )
}
