// cloudoc-hold: places a legal hold on people and places, and shows first how much it would cover.
import { formatSize } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Dismiss12Regular } from '../../kit/icons.ts'
import { type Subject, SubjectField } from '../../people/index.ts'
import { ItemField, type ReportItem } from '../access/item-field.tsx'
import './texts.ts'
import './holds.css'

export type PlaceHoldProps = Readonly<Record<string, never>>

export function PlaceHold({ close }: WindowProps<PlaceHoldProps, number>): ReactNode {
  const t = useT()
  const [name, setName] = useState('')
  const [number, setNumber] = useState('')
  const [reason, setReason] = useState('')
  const [people, setPeople] = useState<readonly Subject[]>([])
  const [places, setPlaces] = useState<readonly ReportItem[]>([])
  const [told, setTold] = useState(false)
  const [problem, setProblem] = useState<string>()
  const scope = { userIdArray: people.map(({ id }) => id), itemIdArray: places.map(({ fId }) => fId) }
  const isChosen = people.length + places.length > 0
  const preview = useQuery({
    queryKey: ['admin', 'hold-preview', scope],
    queryFn: () => api.previewHold(scope, { quiet: true }),
    enabled: isChosen,
    staleTime: 0,
  })
  const place = async (): Promise<void> => {
    try {
      const { holdId } = await api.placeHold({ name, number, reason, told, ...scope }, { quiet: true })
      toast({ kind: 'success', text: t('holds.done', { name }) })
      close(holdId)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const isWhole = name.trim() !== '' && reason.trim() !== '' && isChosen
  return (
    <>
      <DialogBody>
        <div className="hd-form">
          <TextField
            label={t('holds.name')}
            value={name}
            maxLength={100}
            problem={problem}
            onChange={({ target }) => {
              setName(target.value)
              setProblem(undefined)
            }}
          />
          <TextField
            label={t('holds.number')}
            help={t('holds.numberHelp')}
            value={number}
            maxLength={60}
            onChange={({ target }) => setNumber(target.value)}
          />
          <TextField
            label={t('holds.reason')}
            value={reason}
            maxLength={1000}
            onChange={({ target }) => setReason(target.value)}
          />
          <div className="hd-field">
            <span>{t('holds.peopleField')}</span>
            <SubjectField label={t('holds.peopleField')} chosen={people} types="user" onChange={setPeople} />
            <small>{t('holds.peopleHelp')}</small>
          </div>
          <div className="hd-field">
            <span>{t('holds.placeField')}</span>
            {places.length > 0 && (
              <ul className="hd-chips">
                {places.map((one) => (
                  <li key={one.fId}>
                    <span title={one.pathString}>{one.fName}</span>
                    <button
                      type="button"
                      aria-label={t('holds.remove', { name: one.fName })}
                      onClick={() => setPlaces(places.filter(({ fId }) => fId !== one.fId))}
                    >
                      <Dismiss12Regular />
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <ItemField
              item={undefined}
              onChange={(one) => {
                if (one !== undefined && !places.some(({ fId }) => fId === one.fId)) setPlaces([...places, one])
              }}
            />
            <small>{t('holds.placeHelp')}</small>
          </div>
          <Checkbox label={t('holds.tell')} checked={told} onChange={({ target }) => setTold(target.checked)} />
          <p className="hd-preview" role="status">
            <b>{t('holds.preview')}</b>
            {!isChosen
              ? t('holds.previewNone')
              : preview.data === undefined
                ? (preview.error?.message ?? t('holds.previewing'))
                : t('holds.previewOf', { ...preview.data, size: formatSize(preview.data.bytes) })}
          </p>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('holds.cancel')}</Button>
        <Button kind="primary" disabled={!isWhole} onClick={() => void place()}>
          {t('holds.do')}
        </Button>
      </DialogFooter>
    </>
  )
}
