// The file of who signs without an account, with their places, and the act of signing or refusing.
import { signLimits } from '@cloudoc/domain'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Signature16Regular } from '../../kit/icons.ts'
import { Spinner } from '../../kit/spinner.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { PdfPage, usePdf } from '../pages/pdf-page.tsx'
import { Drawn, type Ink, Inks, Picture, Typed } from '../signatures/make.tsx'
import {
  lockFile,
  readFile,
  refusals,
  rejectFile,
  type SignFromEmail,
  SignRefused,
  signFile,
  unlockFile,
} from './from-email-api.ts'

type Tab = 'drawn' | 'typed' | 'picture'
const tabs: readonly Tab[] = ['drawn', 'typed', 'picture']

interface SignFormProps {
  readonly token: string
  readonly inside: SignFromEmail
  /** Loads the page again. */
  readonly onDone: () => Promise<void>
}

/** A place may be below what is shown of its page. */
const intoView = (place: HTMLElement | null): void => place?.scrollIntoView({ block: 'center' })

export function SignForm({ token, inside, onDone }: SignFormProps): ReactNode {
  const t = useT()
  const { fields, revision } = inside
  const [page, setPage] = useState(fields[0]?.page ?? 1)
  const [failure, setFailure] = useState(false)
  const [isRejecting, setRejecting] = useState(false)
  const pdf = usePdf({ key: `${token} ${revision}`, load: () => readFile(token, revision) }, () => setFailure(true))
  useEffect(() => {
    const keep = (): void => void lockFile(token).catch(() => undefined)
    keep()
    const timer = window.setInterval(keep, signLimits.lockMs / 2)
    return () => {
      window.clearInterval(timer)
      void unlockFile(token).catch(() => undefined)
    }
  }, [token])
  const pages = [...new Set(fields.map((one) => one.page))].sort((a, b) => a - b)
  const jump = (): void => setPage(pages.find((one) => one > page) ?? pages[0] ?? page)
  return (
    <main className="so-sign">
      <div className="so-file">
        {failure ? (
          <StatePage title={t('sign.notLoaded')} />
        ) : pdf === undefined ? (
          <Spinner label={t('sign.loading')} />
        ) : (
          <PdfPage pdf={pdf} number={page} onPage={setPage}>
            {(scale) =>
              fields
                .filter((one) => one.page === page)
                .map((one) => (
                  <div
                    key={one.fieldId}
                    ref={intoView}
                    className="sg-place"
                    data-fixed="true"
                    style={{ ...scale.toBox(one), ['--sg-colour' as string]: '#be185d' }}
                  >
                    <span>{t(`sign.kind.${one.kind}`)}</span>
                  </div>
                ))
            }
          </PdfPage>
        )}
      </div>
      {isRejecting ? (
        <Rejecting token={token} onBack={() => setRejecting(false)} onDone={onDone} />
      ) : (
        <Signing
          token={token}
          inside={inside}
          isShown={pdf !== undefined}
          onJump={jump}
          onReject={() => setRejecting(true)}
          onDone={onDone}
        />
      )}
    </main>
  )
}

/** Runs an act and says why it was refused. */
function useAct(onDone: () => Promise<void>) {
  const t = useT()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const run = async (work: () => Promise<unknown>): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      await onDone()
    } catch (error) {
      const result = error instanceof SignRefused ? error.result : 0
      setProblem(error instanceof SignRefused && error.message !== '' ? error.message : t('sign.out.failed'))
      // What was seen is not the newest any more, or the link ended meanwhile: the page is loaded again.
      if (result === refusals.conflict || result === refusals.gone || result === refusals.notAdmitted) await onDone()
    }
    setBusy(false)
  }
  return { busy, problem, run }
}

interface SigningProps extends SignFormProps {
  readonly isShown: boolean
  readonly onJump: () => void
  readonly onReject: () => void
}

function Signing({ token, inside, isShown, onJump, onReject, onDone }: SigningProps): ReactNode {
  const t = useT()
  const id = useId()
  const [tab, setTab] = useState<Tab>('drawn')
  const [ink, setInk] = useState<Ink>('black')
  const [made, setMade] = useState<() => Promise<string | undefined>>()
  const [texts, setTexts] = useState<Readonly<Record<number, string>>>({})
  const [agrees, setAgrees] = useState(false)
  const { busy, problem, run } = useAct(onDone)
  const written = inside.fields.filter(({ kind }) => kind === 'text')
  const isReady =
    isShown && agrees && made !== undefined && written.every(({ fieldId }) => (texts[fieldId] ?? '').trim() !== '')
  const take = (make: (() => Promise<string | undefined>) | undefined): void => setMade(() => make)
  const sign = (): Promise<void> =>
    run(async () => {
      const picture = await made?.()
      await signFile(token, {
        revision: inside.revision,
        ...(picture !== undefined && { picture }),
        texts: written.map(({ fieldId }) => ({ fieldId, text: texts[fieldId] ?? '' })),
      })
    })
  const [first] = inside.fields
  return (
    <form
      className="so-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !busy) void sign()
      }}
    >
      <header>
        <h1>{inside.activityTitle}</h1>
        <small>{t('sign.out.place', { n: inside.order, of: inside.signerCount })}</small>
      </header>
      {inside.comment !== '' && <q>{inside.comment}</q>}
      <p className="so-note">
        <span>{t('sign.out.read', { n: inside.pages, page: first?.page ?? inside.pages })}</span>
        <Button kind="link" onClick={onJump}>
          {t('sign.signing.jump')}
        </Button>
      </p>
      {inside.isLocked && <p className="so-problem">{t('sign.out.locked')}</p>}
      <Tabs
        id={id}
        label={t('sign.signing.picture')}
        tabs={tabs.map((one) => ({ tab: one, text: t(`sign.setting.${one}`) }))}
        chosen={tab}
        onChoose={(next) => {
          setTab(next)
          take(undefined)
        }}
      />
      <TabPanel id={id} chosen={tab} className="sg-tab">
        {tab === 'drawn' && <Drawn ink={ink} onMade={take} />}
        {tab === 'typed' && <Typed ink={ink} name={inside.name} onMade={take} />}
        {tab === 'picture' && <Picture onMade={take} />}
        {tab !== 'picture' && <Inks ink={ink} onChange={setInk} />}
      </TabPanel>
      {written.map(({ fieldId, page }) => (
        <TextField
          key={fieldId}
          label={t('sign.signing.text', { page })}
          maxLength={signLimits.text}
          value={texts[fieldId] ?? ''}
          onChange={({ target }) => setTexts({ ...texts, [fieldId]: target.value })}
        />
      ))}
      <Checkbox label={t('sign.out.agree')} checked={agrees} onChange={({ target }) => setAgrees(target.checked)} />
      {problem !== undefined && (
        <p className="so-problem" role="alert">
          {problem}
        </p>
      )}
      <small className="so-muted">{t('sign.out.final')}</small>
      <div className="so-acts">
        <Button onClick={onReject}>{t('sign.act.reject')}</Button>
        <Button kind="primary" type="submit" icon={<Signature16Regular />} disabled={busy || !isReady}>
          {t('sign.out.do')}
        </Button>
      </div>
    </form>
  )
}

interface RejectingProps extends Pick<SignFormProps, 'token' | 'onDone'> {
  readonly onBack: () => void
}

function Rejecting({ token, onBack, onDone }: RejectingProps): ReactNode {
  const t = useT()
  const [words, setWords] = useState('')
  const { busy, problem, run } = useAct(onDone)
  const isReady = words.trim() !== ''
  return (
    <form
      className="so-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !busy) void run(() => rejectFile(token, words.trim()))
      }}
    >
      <header>
        <h1>{t('sign.act.reject.do')}</h1>
      </header>
      <p>{t('sign.out.reject')}</p>
      <label className="sg-words">
        <b>{t('sign.act.reject.why')}</b>
        <textarea
          rows={5}
          maxLength={signLimits.remark}
          value={words}
          autoFocus
          onChange={({ target }) => setWords(target.value)}
        />
        <small>
          {words.length} / {signLimits.remark}
        </small>
      </label>
      {problem !== undefined && (
        <p className="so-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="so-acts">
        <Button onClick={onBack}>{t('sign.out.back')}</Button>
        <Button kind="danger" type="submit" disabled={busy || !isReady}>
          {t('sign.act.reject.do')}
        </Button>
      </div>
    </form>
  )
}
