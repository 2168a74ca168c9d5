// Audit entries as readable text.
import { administered, type SettingName, type SettingValue } from '@cloudoc/contract'
import { type CodeName, codes, codeText, type Locale, LogBit } from '@cloudoc/domain'
import type { api } from '../../core/call/api.ts'
import type { PlainTextKey, Translate } from '../../core/i18n/i18n.ts'
import { settingLabel, valueLabel } from '../settings/setting-labels.ts'
import { titles } from './call-titles.ts'

export type AuditEntry = Awaited<ReturnType<typeof api.getAuditList>>['list'][number]
export type AuditDetail = Readonly<Record<string, unknown>>

export const detailOf = ({ detail }: AuditEntry): AuditDetail => JSON.parse(detail) as AuditDetail

/** The action: the title of the call, otherwise the label of its log bit. */
export function actionLabel(t: Translate, entry: AuditEntry, locale: Locale): string {
  const title = titles[entry.call]
  if (title !== undefined) return title[locale]
  const { log } = detailOf(entry)
  const bit = Object.entries(LogBit).find(([, value]) => value === log)?.[0]
  // Actions that no call performs have a text of their own. An action without a label is shown by its raw name.
  for (const key of [`admin.event.${entry.call}`, `admin.log.${bit}`]) {
    const words = t(key as PlainTextKey)
    if (words !== key) return words
  }
  return entry.call
}

/** The result of the action. */
export function resultLabel(t: Translate, { refused }: AuditEntry, locale: Locale): string {
  if (refused === '') return t('admin.audit.success')
  return refused in codes ? codeText(codes[refused as CodeName].code, locale) : refused
}

/** The actor and the actor's department. */
export function actorLabel(t: Translate, entry: AuditEntry): { name: string; place: string } {
  if (entry.outsider !== null) return { name: entry.outsider, place: t('admin.audit.outside') }
  if (entry.by !== null) return { name: entry.by.accountName || entry.by.account, place: entry.by.groupName }
  const { account } = detailOf(entry)
  return { name: typeof account === 'string' ? account : t('admin.system'), place: '' }
}

/** The object of the action: the items, and other details worth showing in the row. */
export function subjectLabel(t: Translate, entry: AuditEntry, locale: Locale): string {
  const names = entry.items.map(({ fName, fId }) => fName || t('admin.audit.item', { id: fId }))
  const items =
    entry.itemCount > names.length
      ? t('admin.audit.andMore', { names: names.join(t('admin.set.comma')), n: entry.itemCount })
      : names.join(t('admin.set.comma'))
  const persons = entry.people.map(({ accountName, account }) => accountName || account)
  const people =
    entry.peopleCount > persons.length
      ? t('admin.audit.andMore', { names: persons.join(t('admin.set.comma')), n: entry.peopleCount })
      : persons.join(t('admin.set.comma'))
  const settings = changedSettingsLabel(t, detailOf(entry)['settings'], locale)
  return [items, people, settings].filter((words) => words !== '').join(' · ')
}

function changedSettingsLabel(t: Translate, settings: unknown, locale: Locale): string {
  if (typeof settings !== 'string') return ''
  const changes = JSON.parse(settings) as { name: string; before: SettingValue; after: SettingValue }[]
  if (!Array.isArray(changes)) return ''
  return changes
    .flatMap(({ name, before, after }) => {
      if (!(name in administered)) return []
      const setting = name as SettingName
      return t('admin.audit.setTo', {
        what: settingLabel(setting, locale),
        before: valueLabel(t, setting, before),
        after: valueLabel(t, setting, after),
      })
    })
    .join(t('admin.set.comma'))
}
