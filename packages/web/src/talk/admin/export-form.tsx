// Asks for an export of the messages of a group, or of a person.
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { queryClient } from '../../core/call/query.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { type Subject, SubjectField } from '../../people/index.ts'

const dayMs = 24 * 60 * 60_000
const dayOf = (date: string): number => new Date(`${date}T00:00:00`).getTime()

interface ExportFormProps {
  readonly group?: { readonly id: number; readonly name: string }
  readonly onEnd: () => void
}

export function ExportForm({ group, onEnd }: ExportFormProps): ReactNode {
  const t = useT()
  const [people, setPeople] = useState<readonly Subject[]>([])
  const [reason, setReason] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [person] = people
  const isComplete =
    reason.trim() !== '' && from !== '' && to !== '' && from <= to && (group !== undefined || person !== undefined)
  const send = async (): Promise<void> => {
    await api.askTalkExport({
      reason: reason.trim(),
      ...(group === undefined ? { userId: person?.id ?? 0 } : { conversationId: group.id }),
      fromTime: dayOf(from),
      toTime: dayOf(to) + dayMs,
    })
    toast({ kind: 'success', text: t('talkAdmin.exports.asked') })
    await queryClient.invalidateQueries({ queryKey: ['talk-admin', 'exports'] })
    onEnd()
  }
  return (
    <div className="ta-form">
      {group === undefined ? (
        <div className="ta-field">
          <span aria-hidden="true">{t('talkAdmin.exports.person')}</span>
          <SubjectField
            label={t('talkAdmin.exports.person')}
            types="user"
            chosen={people}
            onChange={(chosen) => setPeople(chosen.slice(-1))}
          />
        </div>
      ) : (
        <b>{t('talkAdmin.exports.group', { name: group.name })}</b>
      )}
      <TextField
        label={t('talkAdmin.exports.reason')}
        value={reason}
        maxLength={500}
        onChange={(event) => setReason(event.target.value)}
      />
      <label>
        {t('talkAdmin.exports.from')}
        <input type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
      </label>
      <label>
        {t('talkAdmin.exports.to')}
        <input type="date" value={to} onChange={(event) => setTo(event.target.value)} />
      </label>
      <Button
        kind="primary"
        disabled={!isComplete}
        data-tip={isComplete ? undefined : t('talkAdmin.exports.incomplete')}
        onClick={() => void send().catch(notifyFailure)}
      >
        {t('talkAdmin.exports.send')}
      </Button>
      <Button onClick={onEnd}>{t('talkAdmin.exports.cancel')}</Button>
    </div>
  )
}
