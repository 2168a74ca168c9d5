// log-report ([R365], [R374]): choose, see, send, and get a number.
import { formatSize } from '@cloudoc/domain'
import { type ReactNode, useMemo, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { companyName } from '../../core/i18n/company.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { copyText } from '../../core/page/copy-text.ts'
import { useSession } from '../../core/session/session.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox } from '../../kit/fields.tsx'
import { Spinner } from '../../kit/spinner.tsx'
import { type LogPart, logParts, packLogs } from './log-pack.ts'
import './clients.css'
import './texts.ts'

type State = 'filling' | 'sending' | { readonly number: string } | { readonly problem: string }

export function LogReport({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const { serverSetting } = useSession()
  const [note, setNote] = useState('')
  const [chosen, setChosen] = useState<readonly LogPart[]>(logParts)
  const [shows, setShows] = useState(false)
  const [state, setState] = useState<State>('filling')
  const pack = useMemo(() => packLogs(chosen), [chosen])
  const send = async (): Promise<void> => {
    setState('sending')
    try {
      const { logNumber } = await api.uploadLogFile({ note, happenedTime: Date.now(), pack }, { quiet: true })
      setState({ number: logNumber })
    } catch (error) {
      setState({ problem: error instanceof Error ? error.message : '' })
    }
  }
  if (state === 'sending') return <Sending />
  if (typeof state === 'object' && 'number' in state) return <Sent number={state.number} close={close} />
  if (typeof state === 'object') {
    const save = (): void => {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob([pack], { type: 'application/json' }))
      link.download = `cloudoc-log-${new Date().toISOString().slice(0, 16).replace(/\D/g, '')}.json`
      link.click()
      setTimeout(() => URL.revokeObjectURL(link.href), 1000)
    }
    return (
      <>
        <DialogBody reading={t('logs.failed')}>
          <h3>{t('logs.failed')}</h3>
          <p role="alert">{state.problem}</p>
        </DialogBody>
        <DialogFooter>
          <Button onClick={save}>{t('logs.save')}</Button>
          <Button kind="primary" autoFocus onClick={() => void send()}>
            {t('logs.retry')}
          </Button>
        </DialogFooter>
      </>
    )
  }
  return (
    <>
      <DialogBody>
        <textarea
          className="cl-text"
          aria-label={t('logs.note')}
          placeholder={t('logs.notePlaceholder')}
          maxLength={500}
          value={note}
          onChange={({ target }) => setNote(target.value)}
        />
        {logParts.map((part) => (
          <div key={part} className="cl-pick">
            <Checkbox
              label={t(`logs.${part}`)}
              checked={chosen.includes(part)}
              onChange={({ target }) =>
                setChosen(logParts.filter((one) => (one === part ? target.checked : chosen.includes(one))))
              }
            />
            <span className="cl-hint">{t(`logs.${part}More`)}</span>
          </div>
        ))}
        <p className="cl-note">
          {t('logs.removed')}{' '}
          <Button kind="link" size="small" aria-expanded={shows} onClick={() => setShows(!shows)}>
            {shows ? t('logs.hide') : t('logs.look')}
          </Button>
        </p>
        {shows && (
          <section className="cl-pack" aria-label={t('logs.look')}>
            {pack}
          </section>
        )}
        <p className="cl-hint">{t('logs.to', { company: companyName(serverSetting.company_name) })}</p>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('logs.cancel')}</Button>
        <Button kind="primary" disabled={chosen.length === 0} onClick={() => void send()}>
          {t('logs.send', { size: formatSize(pack.length, 1) })}
        </Button>
      </DialogFooter>
    </>
  )
}

function Sending(): ReactNode {
  const t = useT()
  return (
    <DialogBody>
      <Spinner />
      <p className="cl-hint">{t('logs.sending')}</p>
    </DialogBody>
  )
}

function Sent({ number, close }: { readonly number: string; readonly close: () => void }): ReactNode {
  const t = useT()
  return (
    <>
      <DialogBody reading={t('logs.sent')}>
        <h3>{t('logs.sent')}</h3>
        <p>{t('logs.sentMore')}</p>
        <p className="cl-number">
          <b>{number}</b>
          <Button size="small" onClick={() => void copyText(number)}>
            {t('logs.copy')}
          </Button>
        </p>
      </DialogBody>
      <DialogFooter>
        <Button kind="primary" autoFocus onClick={() => close()}>
          {t('logs.done')}
        </Button>
      </DialogFooter>
    </>
  )
}
