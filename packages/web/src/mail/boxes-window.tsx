// The settings of the person's mailboxes ([R289]): the list, the fields of one, and its check step by step.

import type { Answer, calls, Mailbox } from '@cloudoc/contract'
import { type MailProtocol, mailProtocols } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, CallError } from '../core/call/api.ts'
import { t as said, useT } from '../core/i18n/i18n.ts'
import { toast } from '../core/toast/toast.ts'
import { confirmBox } from '../core/windows/boxes.ts'
import type { WindowProps } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { DialogBody, DialogFooter } from '../kit/dialog.tsx'
import { Checkbox, TextField } from '../kit/fields.tsx'
import { Add16Regular, CheckmarkCircle16Filled, Circle16Regular, DismissCircle16Filled } from '../kit/icons.ts'
import { Select } from '../kit/select.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { boxesQuery, refetchMail } from './mail-queries.ts'
import { OutlookBox, OutlookButton } from './outlook.tsx'
import { wholeAddress } from './receivers.tsx'
import './mail.css'

export interface BoxesProps {
  /** The mailbox that is shown first. */
  readonly boxId?: number
}

export function BoxesWindow({ boxId, close }: WindowProps<BoxesProps>): ReactNode {
  const t = useT()
  const { data } = useQuery(boxesQuery)
  const [chosen, setChosen] = useState<number | 'new' | undefined>(boxId)
  if (data === undefined) return <Spinner />
  const box = data.list.find((one) => one.boxId === chosen) ?? (chosen === undefined ? data.list[0] : undefined)
  return (
    <div className="em-boxes">
      <nav aria-label={t('email.boxes')}>
        <ul>
          {data.list.map((one) => (
            <li key={one.boxId}>
              <button type="button" aria-current={one === box} onClick={() => setChosen(one.boxId)}>
                <i className={one.state === 'signIn' || one.state === 'unreachable' ? 'em-bad' : 'em-ok'} />
                <b>{one.account}</b>
                <small>{t(`email.box.state.${one.state}`)}</small>
              </button>
            </li>
          ))}
          {(box === undefined || chosen === 'new') && (
            <li>
              <button type="button" aria-current>
                <i />
                <b>{t('email.box.new')}</b>
              </button>
            </li>
          )}
        </ul>
        <div className="em-add">
          <Button icon={<Add16Regular />} onClick={() => setChosen('new')}>
            {t('email.box.add')}
          </Button>
          <OutlookButton />
        </div>
      </nav>
      {box?.isOutlook === true ? (
        <OutlookBox
          key={box.boxId}
          box={box}
          close={close}
          remove={() => void removeBox(box).then((isGone) => isGone && setChosen(undefined))}
        />
      ) : (
        <BoxForm key={box?.boxId ?? 'new'} box={box} chosen={setChosen} close={close} />
      )}
    </div>
  )
}

/** Asks, and removes a mailbox. Returns whether it is gone; a refusal has been shown. */
async function removeBox({ boxId, account }: Mailbox): Promise<boolean> {
  const sure = await confirmBox({
    text: said('email.box.delete.ask', { account }),
    detail: said('email.box.delete.more'),
    ok: said('email.box.delete'),
    danger: true,
  })
  if (!sure) return false
  try {
    await api.deleteMailbox({ boxId })
    refetchMail()
    return true
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    return false
  }
}

type NotEntered =
  | 'isDefault'
  | 'isOutlook'
  | 'state'
  | 'problem'
  | 'fetchTime'
  | 'isFetching'
  | 'unread'
  | 'spaceUsed'
  | 'spaceTotal'
type Entered = Omit<Mailbox, 'boxId' | NotEntered>
type Outcome = Answer<(typeof calls)['checkMailbox']>

const empty: Entered = {
  ...{
    account: '',
    loginName: '',
    senderName: '',
    aliases: [],
    mailProtocol: 'imap',
    ssl: true,
    fetch: true,
    exchangeUrl: '',
  },
  ...{ imapAddress: '', imapPort: 0, popAddress: '', popPort: 0, smtpAddress: '', smtpPort: 0 },
}

const enteredOf = (box: Mailbox): Entered => {
  const {
    boxId: _id,
    isDefault: _d,
    state: _s,
    problem: _p,
    fetchTime: _f,
    isFetching: _i,
    unread: _u,
    isOutlook: _o,
    spaceUsed: _used,
    spaceTotal: _total,
    ...entered
  } = box
  return entered
}

interface BoxFormProps {
  readonly box: Mailbox | undefined
  readonly chosen: (boxId: number | undefined) => void
  readonly close: () => void
}

function BoxForm({ box, chosen, close }: BoxFormProps): ReactNode {
  const t = useT()
  const [entered, setEntered] = useState<Entered>(() => (box === undefined ? empty : enteredOf(box)))
  const [password, setPassword] = useState('')
  const [isDefault, setDefault] = useState(box?.isDefault ?? false)
  const [busy, setBusy] = useState<'check' | 'save'>()
  const [outcome, setOutcome] = useState<Outcome>()
  const [code, setCode] = useState<{ needs: boolean; where: string }>({ needs: false, where: '' })
  const set = (part: Partial<Entered>): void => {
    setEntered({ ...entered, ...part })
    setOutcome(undefined)
  }
  const receive = receiveOf(entered)
  const canCheck = /^[^\s@]+@[^\s@]+$/.test(entered.account) && (receive !== '' || entered.exchangeUrl !== '')
  const isReady = canCheck && (box !== undefined || password !== '')
  const problemOf = (field: Outcome['steps'][number]['field']): string | undefined =>
    outcome?.steps.find((step) => step.field === field)?.problem
  /** Fills in the servers of a known provider when the address is complete. */
  const guess = async (): Promise<void> => {
    if (box !== undefined || receive !== '' || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(entered.account)) return
    const found = await api.guessMailbox({ account: entered.account }, { quiet: true }).catch(() => undefined)
    if (found === undefined) return
    const { imapAddress, smtpAddress, smtpPort, ssl } = found
    setEntered((before) =>
      before.imapAddress === ''
        ? { ...before, imapAddress, smtpAddress, smtpPort: smtpPort === 465 ? 0 : smtpPort, ssl }
        : before,
    )
    setCode({ needs: found.needsCode, where: found.codeAddress })
  }
  const input = () => ({ ...entered, ...(password === '' ? {} : { password }) })
  const run = async (what: 'check' | 'save', work: () => Promise<void>): Promise<void> => {
    setBusy(what)
    try {
      await work()
    } catch (error) {
      // The refusal has been shown.
      if (!(error instanceof CallError)) throw error
    } finally {
      setBusy(undefined)
    }
  }
  const check = (): Promise<void> =>
    run('check', async () => setOutcome(await api.checkMailbox({ ...input(), ...(box && { boxId: box.boxId }) })))
  const save = (): Promise<void> =>
    run('save', async () => {
      if (box === undefined) {
        const made = await api.createMailbox({ ...entered, password })
        chosen(made.boxId)
      } else await api.updateMailbox({ ...input(), boxId: box.boxId, isDefault })
      refetchMail()
      toast({ text: said('email.box.saved'), kind: 'success' })
      close()
    })
  const remove = async (): Promise<void> => {
    if (box === undefined) return
    setBusy('save')
    if (await removeBox(box)) chosen(undefined)
    else setBusy(undefined)
  }
  return (
    <div className="em-box">
      <DialogBody>
        <div className="em-form">
          <ProtocolField
            value={entered.mailProtocol}
            onChange={(mailProtocol) =>
              set({ mailProtocol, ...(mailProtocol === 'exchange' && box === undefined && { imapAddress: '' }) })
            }
          />
          <TextField
            label={t('email.box.account')}
            type="email"
            autoComplete="off"
            autoFocus={box === undefined}
            value={entered.account}
            onChange={({ target }) => set({ account: target.value.trim() })}
            onBlur={() => void guess()}
          />
          <TextField
            label={t('email.box.password')}
            type="password"
            autoComplete="new-password"
            value={password}
            placeholder={box === undefined ? '' : t('email.box.password.kept')}
            problem={problemOf('password')}
            onChange={({ target }) => {
              setPassword(target.value)
              setOutcome(undefined)
            }}
          />
          {code.needs && <CodeNote where={code.where} />}
          <TextField
            label={t('email.box.login')}
            help={t('email.box.login.more')}
            value={entered.loginName}
            onChange={({ target }) => set({ loginName: target.value })}
          />
          <TextField
            label={t('email.box.name')}
            value={entered.senderName}
            onChange={({ target }) => set({ senderName: target.value })}
          />
          <AliasesField aliases={entered.aliases} onChange={(aliases) => set({ aliases })} />
          <Servers entered={entered} problemOf={problemOf} onChange={set} />
          <Checkbox
            label={t('email.box.ssl')}
            checked={entered.ssl}
            onChange={({ target }) => set({ ssl: target.checked })}
          />
          <Checkbox
            label={t('email.box.fetch')}
            checked={entered.fetch}
            onChange={({ target }) => set({ fetch: target.checked })}
          />
          {box !== undefined && (
            <Checkbox
              label={t('email.box.default')}
              checked={isDefault}
              disabled={box.isDefault}
              onChange={({ target }) => setDefault(target.checked)}
            />
          )}
          {outcome !== undefined && <Steps outcome={outcome} />}
        </div>
      </DialogBody>
      <DialogFooter>
        {box !== undefined && (
          <Button kind="ghost" disabled={busy !== undefined} onClick={() => void remove()}>
            {t('email.box.delete')}
          </Button>
        )}
        <span className="em-saved" role="status">
          {busy === 'check' && t('email.box.checking')}
        </span>
        <Button disabled={!isReady || busy !== undefined} onClick={() => void check()}>
          {t('email.box.check')}
        </Button>
        <Button kind="primary" disabled={!isReady || busy !== undefined} onClick={() => void save()}>
          {t(outcome?.passed === false ? 'email.box.saveAnyway' : 'email.box.save')}
        </Button>
      </DialogFooter>
    </div>
  )
}

interface ProtocolFieldProps {
  readonly value: MailProtocol
  readonly onChange: (protocol: MailProtocol) => void
}

function ProtocolField({ value, onChange }: ProtocolFieldProps): ReactNode {
  const t = useT()
  return (
    <Select
      label={t('email.box.protocol')}
      showLabel
      value={value}
      options={mailProtocols.map((protocol: MailProtocol) => ({
        value: protocol,
        label: { imap: 'IMAP', pop3: 'POP3', exchange: 'Exchange' }[protocol],
        note: t(`email.box.${protocol === 'pop3' ? 'pop' : protocol}.more`),
      }))}
      onChange={onChange}
    />
  )
}

/** Some providers want a code of their own in place of the password. */
function CodeNote({ where }: { readonly where: string }): ReactNode {
  const t = useT()
  return (
    <p className="em-note">
      {t('email.box.code')}{' '}
      {where !== '' && (
        <a href={where} target="_blank" rel="noreferrer noopener">
          {t('email.box.code.where')}
        </a>
      )}
    </p>
  )
}

/** The address of the server that mails are fetched from. */
const receiveOf = ({ mailProtocol, popAddress, imapAddress }: Entered): string =>
  mailProtocol === 'pop3' ? popAddress : imapAddress

interface ServersProps {
  readonly entered: Entered
  readonly problemOf: (field: Outcome['steps'][number]['field']) => string | undefined
  readonly onChange: (part: Partial<Entered>) => void
}

/** The servers of a mailbox. */
function Servers({ entered, problemOf, onChange }: ServersProps): ReactNode {
  const t = useT()
  const isPop = entered.mailProtocol === 'pop3'
  // An Exchange with its own address needs no other servers.
  const overEws = entered.mailProtocol === 'exchange' && entered.exchangeUrl !== '' && entered.imapAddress === ''
  return (
    <>
      {entered.mailProtocol === 'exchange' && (
        <TextField
          label={t('email.box.exchangeUrl')}
          placeholder="https://mail.example.com/EWS/Exchange.asmx"
          value={entered.exchangeUrl}
          problem={overEws ? problemOf('receive') : undefined}
          onChange={({ target }) => onChange({ exchangeUrl: target.value.trim() })}
        />
      )}
      <TextField
        label={t('email.box.receive')}
        placeholder={isPop ? 'pop.example.com' : 'imap.example.com'}
        value={receiveOf(entered)}
        problem={overEws ? undefined : problemOf('receive')}
        {...(overEws && { help: t('email.box.exchange.imap') })}
        after={
          <Port
            value={isPop ? entered.popPort : entered.imapPort}
            usual={entered.ssl ? (isPop ? '995' : '993') : isPop ? '110' : '143'}
            onChange={(port) => onChange(isPop ? { popPort: port } : { imapPort: port })}
          />
        }
        onChange={({ target: { value } }) =>
          onChange(isPop ? { popAddress: value.trim() } : { imapAddress: value.trim() })
        }
      />
      {!overEws && (
        <TextField
          label={t('email.box.send')}
          placeholder="smtp.example.com"
          help={t('email.box.send.more')}
          value={entered.smtpAddress}
          problem={problemOf('send')}
          after={
            <Port
              value={entered.smtpPort}
              usual={entered.ssl ? '465' : '587'}
              onChange={(smtpPort) => onChange({ smtpPort })}
            />
          }
          onChange={({ target }) => onChange({ smtpAddress: target.value.trim() })}
        />
      )}
    </>
  )
}

interface PortProps {
  readonly value: number
  /** The port that is used where none is entered. */
  readonly usual: string
  readonly onChange: (port: number) => void
}

function Port({ value, usual, onChange }: PortProps): ReactNode {
  const t = useT()
  return (
    <input
      className="em-port"
      inputMode="numeric"
      aria-label={t('email.box.port')}
      placeholder={usual}
      value={value === 0 ? '' : value}
      onChange={({ target }) => onChange(Math.min(65_535, Number(target.value.replaceAll(/\D/g, '')) || 0))}
    />
  )
}

interface AliasesFieldProps {
  readonly aliases: readonly string[]
  readonly onChange: (aliases: string[]) => void
}

/** The other addresses of a mailbox, typed with commas between them. */
export function AliasesField({ aliases, onChange }: AliasesFieldProps): ReactNode {
  const t = useT()
  const [text, setText] = useState(aliases.join(', '))
  return (
    <TextField
      label={t('email.box.aliases')}
      help={t('email.box.aliases.more')}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onChange([...new Set(target.value.split(/[\s,;，；、]+/).filter((one) => wholeAddress.test(one)))])
      }}
    />
  )
}

function Steps({ outcome }: { readonly outcome: Outcome }): ReactNode {
  const t = useT()
  return (
    <section className="em-steps" aria-live="polite" ref={(shown) => shown?.scrollIntoView({ block: 'nearest' })}>
      <h2>{t(outcome.passed ? 'email.box.passed' : 'email.box.failed')}</h2>
      <ul>
        {outcome.steps.map(({ step, state, where, ms, problem }) => (
          <li key={step} data-state={state}>
            {state === 'passed' ? (
              <CheckmarkCircle16Filled />
            ) : state === 'failed' ? (
              <DismissCircle16Filled />
            ) : (
              <Circle16Regular />
            )}
            <span>
              {t(`email.box.step.${step}`)} {where}
              <small>
                {state === 'failed' ? problem : t(`email.box.step.${state}`)}
                {state !== 'skipped' && ` · ${(ms / 1000).toFixed(1)} s`}
              </small>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
