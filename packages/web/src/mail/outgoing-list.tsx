// Drafts, and mails that wait, failed or may have been sent.
import type { OutgoingMail } from '@cloudoc/contract'
import { minuteTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../core/call/api.ts'
import { t as said, useT } from '../core/i18n/i18n.ts'
import { confirmBox } from '../core/windows/boxes.ts'
import { openWindow } from '../core/windows/index.ts'
import { Button } from '../kit/button.tsx'
import { Spinner } from '../kit/spinner.tsx'
import { outgoingQuery, tryMail } from './mail-queries.ts'

type Listed = Omit<OutgoingMail, 'html' | 'text'> & { readonly summary: string }

/** Opens a draft; a mail that was queued is taken back first. */
async function edit({ outgoingId, state }: Pick<Listed, 'outgoingId' | 'state'>): Promise<void> {
  if (state === 'queued' && !(await tryMail(() => api.takeMailBack({ outgoingId })))) return
  await openWindow('email-compose', { outgoingId })
}

async function discard({ outgoingId }: Pick<Listed, 'outgoingId'>): Promise<void> {
  const sure = await confirmBox({ text: said('email.compose.discard.ask'), ok: said('email.delete'), danger: true })
  if (sure) await tryMail(() => api.discardMail({ outgoingId }))
}

const sendAgain = ({ outgoingId, version }: Pick<Listed, 'outgoingId' | 'version'>): Promise<boolean> =>
  tryMail(() => api.sendMail({ outgoingId, version }))

export function OutgoingList({ what }: { readonly what: 'drafts' | 'waiting' }): ReactNode {
  const t = useT()
  const { data } = useQuery(outgoingQuery(what))
  if (data === undefined) return <Spinner />
  return (
    <section className="em-outgoing" aria-label={t(`email.role.${what}`)}>
      <h1>{t(`email.role.${what}`)}</h1>
      {data.list.length === 0 && <p className="em-nothing">{t('email.nothing')}</p>}
      <ul>
        {data.list.map((mail) => (
          <li key={mail.outgoingId}>
            <Row mail={mail} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Row({ mail }: { readonly mail: Listed }): ReactNode {
  const t = useT()
  const { state, subject, to, cc, bcc, summary, problem, refusedReceivers, sendTime, modifyTime } = mail
  const names = [...to, ...cc, ...bcc].map(({ name, address }) => name || address).join('、')
  return (
    <article className="em-out" data-state={state}>
      <div>
        <b>{subject || t('email.noSubject')}</b>
        <span>{names === '' ? t('email.compose.noReceiver') : t('email.writtenTo', { names })}</span>
        <span className="em-summary">{summary}</span>
        {state !== 'draft' && (
          <span className="em-state">
            {t(`email.state.${state}`)}
            {state === 'queued' && ` · ${minuteTime(sendTime)}`}
            {problem !== '' && ` · ${problem}`}
            {state === 'unsure' && ` · ${t('email.state.unsure.more')}`}
          </span>
        )}
        {refusedReceivers.length > 0 && (
          <span className="em-state">{t('email.refused', { names: refusedReceivers.join('、') })}</span>
        )}
      </div>
      <time>{minuteTime(modifyTime)}</time>
      {state !== 'handing' && (
        <Button onClick={() => void edit(mail)}>{t(state === 'queued' ? 'email.takeBack' : 'email.edit')}</Button>
      )}
      {(state === 'failed' || state === 'unsure') && (
        <Button onClick={() => void sendAgain(mail)}>{t('email.again')}</Button>
      )}
      {state !== 'queued' && state !== 'handing' && (
        <Button kind="ghost" onClick={() => void discard(mail)}>
          {t('email.delete')}
        </Button>
      )}
    </article>
  )
}
