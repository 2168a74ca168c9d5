// cloudoc-retention: a retention rule, with the files that it would remove now.
import type { Answer, calls } from '@cloudoc/contract'
import { formatSize, fullTime } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { useLevels } from '../../items/conditions/levels.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Checkbox, TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { ItemField, type ReportItem } from '../access/item-field.tsx'
import './texts.ts'
import './retention.css'

export interface RetentionRuleProps {
  /** Undefined for a new one. */
  readonly rule: Answer<typeof calls.getRetentionRules>['list'][number] | undefined
}

const highest = 100
const mostDays = 36_500
const mostShown = 100

/** The place of a rule as the field shows it. */
function placeOf(rule: RetentionRuleProps['rule']): ReportItem | undefined {
  if (rule === undefined || rule.placeId === 0 || !rule.isPlaceThere) return undefined
  const names = rule.placeName.split('/')
  return { fType: 2, fId: rule.placeId, fName: names.at(-1) ?? '', pathString: names.slice(0, -1).join('/') }
}

export function RetentionRuleWindow({ rule, close }: WindowProps<RetentionRuleProps, number>): ReactNode {
  const t = useT()
  const levels = useLevels()
  const [name, setName] = useState(rule?.name ?? '')
  const [place, setPlace] = useState(() => placeOf(rule))
  const [typedExts, setExts] = useState(rule?.exts.join(' ') ?? '')
  const [typedDays, setDays] = useState(String(rule?.days ?? 730))
  const [levelFrom, setLevelFrom] = useState(rule?.levelFrom ?? 0)
  const [levelTo, setLevelTo] = useState(rule?.levelTo ?? highest)
  const [forGood, setForGood] = useState(rule?.forGood ?? false)
  const [enabled, setEnabled] = useState(rule?.enabled ?? true)
  const [problem, setProblem] = useState<string>()
  const exts = typedExts
    .toLowerCase()
    .split(/[\s,，、]+/)
    .filter(Boolean)
  const days = Number(typedDays)
  const areDaysRight = Number.isInteger(days) && days >= 1 && days <= mostDays
  const areExtsRight = exts.every((ext) => /^[^./\\]{1,20}$/.test(ext))
  const isRight = areDaysRight && areExtsRight && levelFrom <= levelTo
  const terms = { placeId: place?.fId ?? 0, exts, levelFrom, levelTo, days, forGood }
  const asked = useDeferredValue(JSON.stringify(terms))
  const preview = useQuery({
    queryKey: ['admin', 'retention-preview', asked],
    queryFn: () => api.previewRetention(JSON.parse(asked) as typeof terms, { quiet: true }),
    enabled: isRight,
    staleTime: 0,
  })
  const save = async (): Promise<void> => {
    try {
      const input = { ...terms, name, enabled, ruleId: rule?.ruleId ?? 0 }
      const { ruleId } = await api.saveRetentionRule(input, { quiet: true })
      close(ruleId)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  const levelOptions = levels.map((level, value) => ({ value, label: level?.name ?? String(value) }))
  const last = levelOptions.length - 1
  return (
    <>
      <DialogBody>
        <div className="rt-form">
          <TextField
            label={t('retention.name')}
            value={name}
            maxLength={100}
            problem={problem}
            onChange={({ target }) => {
              setName(target.value)
              setProblem(undefined)
            }}
          />
          <div className="rt-field">
            <span>{t('retention.place')}</span>
            <ItemField item={place} onChange={setPlace} finder="findRetentionPlaces" />
            {place === undefined && <small>{t('retention.everywhere')}</small>}
          </div>
          <div className="rt-row">
            <TextField
              label={t('retention.days')}
              inputMode="numeric"
              value={typedDays}
              maxLength={5}
              problem={areDaysRight ? undefined : t('retention.daysWrong')}
              onChange={({ target }) => setDays(target.value.replace(/\D/g, ''))}
            />
            <TextField
              label={t('retention.exts')}
              help={t('retention.extsHelp')}
              value={typedExts}
              maxLength={500}
              problem={areExtsRight ? undefined : t('retention.extsWrong')}
              onChange={({ target }) => setExts(target.value)}
            />
          </div>
          {last > 0 && (
            <div className="rt-levels">
              <span>{t('retention.levelFrom')}</span>
              <Select
                label={t('retention.levelFrom')}
                value={Math.min(levelFrom, last)}
                options={levelOptions}
                onChange={setLevelFrom}
              />
              <span>{t('retention.levelTo')}</span>
              <Select
                label={t('retention.levelTo')}
                value={Math.min(levelTo, last)}
                options={levelOptions}
                onChange={(to) => setLevelTo(to === last ? highest : to)}
              />
              {levelFrom > levelTo && <small role="alert">{t('retention.levelsWrong')}</small>}
            </div>
          )}
          <div className="rt-field">
            <Checkbox
              label={t('retention.forGood')}
              checked={forGood}
              onChange={({ target }) => setForGood(target.checked)}
            />
            <small>{t('retention.forGoodHelp')}</small>
          </div>
          <Checkbox
            label={t('retention.enabled')}
            checked={enabled}
            onChange={({ target }) => setEnabled(target.checked)}
          />
          <section className="rt-preview" aria-label={t('retention.preview')}>
            <p role="status">
              <b>{t('retention.preview')}</b>
              <span>
                {preview.data === undefined || !isRight
                  ? (preview.error?.message ?? t('retention.previewing'))
                  : t('retention.previewOf', { n: preview.data.count, size: formatSize(preview.data.bytes) })}
              </span>
              {(preview.data?.held ?? 0) > 0 && <span>{t('retention.held', { n: preview.data?.held ?? 0 })}</span>}
            </p>
            {isRight && (preview.data?.count ?? 0) > 0 && (
              <>
                <small>{t('retention.shown', { n: Math.min(mostShown, preview.data?.count ?? 0) })}</small>
                <ul tabIndex={0} aria-label={t('retention.preview')}>
                  {preview.data?.list.slice(0, mostShown).map((one) => (
                    <li key={one.fileId}>
                      <span title={one.pathString}>
                        {one.fName} <small>{one.pathString.replaceAll('/', ' › ')}</small>
                      </span>
                      <small>{fullTime(one.modifyTime)}</small>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </section>
          <small>{t('retention.saveHelp')}</small>
        </div>
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('retention.cancel')}</Button>
        <Button kind="primary" disabled={!isRight || name.trim() === ''} onClick={() => void save()}>
          {t('retention.save')}
        </Button>
      </DialogFooter>
    </>
  )
}
