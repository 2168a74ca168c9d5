// cloudoc-announcement: an announcement, with how readers will see it.
import type { Answer, calls } from '@cloudoc/contract'
import { type ReactNode, useId, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { FilterChips, RemovableChip } from '../../kit/chips.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Megaphone16Regular } from '../../kit/icons.ts'
import { MomentField } from '../../kit/moment-field.tsx'
import './texts.ts'
import './announcements.css'
import './banner.css'

export interface EditAnnouncementProps {
  /** Undefined for a new one. */
  readonly announcement:
    | Pick<
        Answer<typeof calls.getAnnouncementList>['list'][number],
        'announcementId' | 'title' | 'text' | 'kind' | 'groups' | 'startTime' | 'endTime' | 'asksReading' | 'state'
      >
    | undefined
}

const dayMs = 24 * 60 * 60_000
const kinds = ['notice', 'maintenance', 'rule'] as const

export function EditAnnouncement({ announcement, close }: WindowProps<EditAnnouncementProps, number>): ReactNode {
  const t = useT()
  const textId = useId()
  const [title, setTitle] = useState(announcement?.title ?? '')
  const [text, setText] = useState(announcement?.text ?? '')
  const [kind, setKind] = useState(announcement?.kind ?? 'notice')
  const [groups, setGroups] = useState(announcement?.groups ?? [])
  const [isNow, setNow] = useState(announcement?.state !== 'scheduled')
  const [startTime, setStart] = useState(announcement?.startTime)
  const [endTime, setEnd] = useState(() => announcement?.endTime ?? Date.now() + 7 * dayMs)
  const [asksReading, setAsks] = useState(announcement?.asksReading ?? false)
  const [problem, setProblem] = useState<string>()
  const hasBegun = announcement !== undefined && announcement.state !== 'scheduled'
  const [opened] = useState(() => Date.now())
  const from = isNow ? opened : (startTime ?? 0)
  const isWrong = endTime <= from || endTime <= opened
  const addGroup = async (): Promise<void> => {
    const picked = await openWindow('organisation-pick-group', {
      title: t('announce.pickGroup'),
      ok: t('announce.pick'),
    })
    if (picked === undefined || groups.some(({ groupId }) => groupId === picked.groupId)) return
    setGroups([...groups, { groupId: picked.groupId, groupName: picked.groupName }])
  }
  const save = async (): Promise<void> => {
    try {
      const saved = await api.saveAnnouncement(
        {
          ...{ announcementId: announcement?.announcementId ?? 0, title, text, kind, endTime, asksReading },
          groupIds: groups.map(({ groupId }) => groupId),
          startTime: isNow ? 0 : (startTime ?? 0),
        },
        { quiet: true },
      )
      close(saved.announcementId)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <DialogBody>
        <div className="an-form">
          <TextField
            label={t('announce.title')}
            value={title}
            maxLength={100}
            problem={problem}
            onChange={({ target }) => {
              setTitle(target.value)
              setProblem(undefined)
            }}
          />
          <div className="k-field">
            <label htmlFor={textId}>{t('announce.text')}</label>
            <textarea
              id={textId}
              className="an-text"
              rows={4}
              maxLength={500}
              value={text}
              onChange={({ target }) => setText(target.value)}
            />
            <small>{t('announce.textHelp')}</small>
          </div>
          <div className="an-row">
            <span>{t('announce.kind')}</span>
            <FilterChips
              label={t('announce.kind')}
              value={kind}
              options={kinds.map((value) => ({ value, label: t(`announce.kind.${value}`) }))}
              onChange={setKind}
            />
          </div>
          <div className="an-row">
            <span>{t('announce.to')}</span>
            <div className="an-groups">
              {groups.length === 0 && <b>{t('announce.everybody')}</b>}
              {groups.map(({ groupId, groupName }) => (
                <RemovableChip
                  key={groupId}
                  text={groupName}
                  removeLabel={t('announce.removeGroup', { name: groupName })}
                  onRemove={() => setGroups(groups.filter((one) => one.groupId !== groupId))}
                />
              ))}
              <Button size="small" onClick={() => void addGroup()}>
                {t('announce.addGroup')}
              </Button>
              <small>{t('announce.toHelp')}</small>
            </div>
          </div>
          {!hasBegun && (
            <div className="an-row">
              <span>{t('announce.from')}</span>
              <Checkbox
                label={t('announce.fromNow')}
                checked={isNow}
                onChange={({ target }) => {
                  setNow(target.checked)
                  setStart(startTime ?? Date.now() + dayMs)
                }}
              />
              {!isNow && <MomentField label={t('announce.from')} value={startTime} onChange={setStart} />}
            </div>
          )}
          <div className="an-row">
            <span>{t('announce.until')}</span>
            <MomentField label={t('announce.until')} value={endTime} onChange={(at) => setEnd(at ?? 0)} />
            {isWrong && <small role="alert">{t('announce.untilWrong')}</small>}
          </div>
          <Checkbox
            label={t('announce.asks')}
            checked={asksReading}
            onChange={({ target }) => setAsks(target.checked)}
          />
          <div className="k-field">
            <span>{t('announce.preview')}</span>
            <div className="an-strip" data-kind={kind}>
              <Megaphone16Regular />
              <div>
                <b>{title.trim() === '' ? t('announce.title') : title}</b>
                {text.trim() !== '' && <p>{text}</p>}
              </div>
            </div>
          </div>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('announce.cancel')}</Button>
        <Button kind="primary" disabled={title.trim() === '' || isWrong} onClick={() => void save()}>
          {t(hasBegun ? 'announce.save' : isNow ? 'announce.publish' : 'announce.schedule')}
        </Button>
      </DialogFooter>
    </>
  )
}
