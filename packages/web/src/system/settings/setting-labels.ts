// Labels of settings and their values.
import {
  administered,
  type SettingChoice,
  type SettingGroup,
  type SettingName,
  type SettingPlace,
  type SettingValue,
} from '@cloudoc/contract'
import { formatSize, type Locale, type SecretColour } from '@cloudoc/domain'
import type { PlainTextKey, Translate } from '../../core/i18n/i18n.ts'

/** The name of a setting. */
export function settingLabel(name: SettingName, locale: Locale): string {
  return administered[name].label[locale]
}

/** The readable form of a value. */
export function valueLabel(t: Translate, name: SettingName, value: SettingValue): string {
  const { as, choices }: SettingPlace = administered[name]
  if (as === 'switch') return t(value === true ? 'admin.set.on' : 'admin.set.off')
  if (as === 'bytes') return value === 0 ? t('admin.set.unlimited') : formatSize(Number(value))
  if (as === 'choice') return choiceLabel(t, value)
  if (as === 'number' && choices !== undefined) return choiceLabel(t, choices[Number(value)] ?? String(value))
  if (Array.isArray(value)) {
    if (value.length === 0) return t('admin.set.none')
    const words = as === 'colours' ? value.map((one) => t(`admin.set.colour.${one as SecretColour}`)) : value
    const shown = words.slice(0, 3).join(t('admin.set.comma'))
    return value.length > 3 ? t('admin.set.andMore', { shown, n: value.length }) : shown
  }
  return value === '' ? t('admin.set.empty') : String(value)
}

/** The label of one option of a setting. */
export function choiceLabel(t: Translate, value: SettingValue): string {
  return t(`admin.choice.${value as SettingChoice}`)
}

/** The controls that a group has in addition to its settings. A search for one of them finds the group. */
const groupControls: Readonly<Partial<Record<SettingGroup, readonly PlainTextKey[]>>> = {
  mail: ['admin.mail.test', 'admin.mail.password'],
  sms: ['admin.sms.test', 'admin.sms.secret'],
  audit: ['admin.syslog.state'],
}

/** Whether a setting matches a search, by its texts in a language, its name, its group or the controls of its group. */
export function matchesSearch(t: Translate, name: SettingName, sought: string, locale: Locale): boolean {
  const { label, note, group } = administered[name]
  const controls = (groupControls[group] ?? []).map((key) => t(key))
  const words = [label[locale], note[locale], name, t(`admin.setGroup.${group}`), ...controls].join('\n').toLowerCase()
  return sought
    .toLowerCase()
    .split(/\s+/)
    .every((word) => words.includes(word))
}
