// The form of a process: its fields for filling in, and its values for reading.
import type { TemplateBody } from '@cloudoc/contract'
import { tenThousandths } from '@cloudoc/domain'
import { type ReactNode, useId } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { Select } from '../../kit/select.tsx'
import './workflow.css'

type Field = TemplateBody['fields'][number]
type Values = Readonly<Record<string, string>>

/** The names behind ids in a form, by `user:1`, `file:1`, `folder:1`. */
export type FormNames = Readonly<Record<string, string>>

/** A value as people read it. */
export function fieldText(field: Field, value: string, names: FormNames, locale: string): string {
  if (value === '') return '—'
  if (field.type === 'person') return names[`user:${value}`] ?? value
  if (field.type === 'file') return names[`file:${value}`] ?? '—'
  if (field.type === 'money' && tenThousandths(value) !== undefined) {
    const [whole = '0', part = ''] = value.trim().split('.')
    return `${BigInt(whole).toLocaleString(locale === 'zh' ? 'zh-CN' : 'en-US')}.${part.padEnd(2, '0')}`
  }
  return value
}

/** The values of a form for reading. */
export function FormValues(props: {
  readonly fields: readonly Field[]
  readonly values: Values
  readonly names: FormNames
}): ReactNode {
  const locale = useLocale()
  return props.fields.map((field) => (
    <div key={field.id}>
      <dt>{field.name}</dt>
      <dd className={field.type === 'money' || field.type === 'number' ? 'is-number' : undefined}>
        {fieldText(field, props.values[field.id] ?? '', props.names, locale)}
      </dd>
    </div>
  ))
}

interface FormFieldsProps {
  readonly fields: readonly Field[]
  readonly values: Values
  readonly names: FormNames
  /** Shows what is missing or wrong. */
  readonly isChecked: boolean
  readonly problemOf: (field: Field) => string | undefined
  readonly onChange: (field: string, value: string, name?: readonly [string, string]) => void
}

/** The fields of a form for filling in. */
export function FormFields({ fields, isChecked, problemOf, ...rest }: FormFieldsProps): ReactNode {
  return fields.map((field) => (
    <FieldRow key={field.id} field={field} problem={isChecked ? problemOf(field) : undefined} {...rest} />
  ))
}

interface FieldRowProps extends Pick<FormFieldsProps, 'values' | 'names' | 'onChange'> {
  readonly field: Field
  readonly problem: string | undefined
}

function FieldRow({ field, problem, values, names, onChange }: FieldRowProps): ReactNode {
  const id = useId()
  return (
    <div className="wf-field">
      <label htmlFor={id}>
        {field.name}
        {field.required && <b aria-hidden="true"> *</b>}
      </label>
      <div>
        <FieldInput id={id} field={field} value={values[field.id] ?? ''} names={names} onChange={onChange} />
        {problem !== undefined && (
          <small className="wf-problem" role="alert">
            {problem}
          </small>
        )}
      </div>
    </div>
  )
}

interface FieldInputProps extends Pick<FormFieldsProps, 'names' | 'onChange'> {
  readonly id: string
  readonly field: Field
  readonly value: string
}

function FieldInput({ id, field, value, names, onChange }: FieldInputProps): ReactNode {
  const t = useT()
  const set = (to: string, name?: readonly [string, string]): void => onChange(field.id, to, name)
  if (field.type === 'choice')
    return (
      <Select
        label={field.name}
        value={value}
        options={['', ...field.choices].map((one) => ({
          value: one,
          label: one === '' ? t('workflow.choose') : one,
        }))}
        onChange={set}
      />
    )
  if (field.type === 'person') {
    const pick = async (): Promise<void> => {
      const title = field.name
      const [person] = (await openWindow('people-pick', { title, ok: t('workflow.ok'), picked: [] })) ?? []
      if (person !== undefined) set(String(person.userId), [`user:${person.userId}`, person.accountName])
    }
    return (
      <Button id={id} onClick={() => void pick()}>
        {value === '' ? t('workflow.pickPerson') : (names[`user:${value}`] ?? value)}
      </Button>
    )
  }
  if (field.type === 'file') {
    const pick = async (): Promise<void> => {
      const picked = await openWindow('drive-item-pick', {
        ...{ title: field.name, hint: field.name, what: 'files', multiple: false },
      })
      const [file] = picked ?? []
      if (file !== undefined) set(String(file.fId), [`file:${file.fId}`, file.fName])
    }
    return (
      <Button id={id} onClick={() => void pick()}>
        {value === '' ? t('workflow.pickFile') : (names[`file:${value}`] ?? value)}
      </Button>
    )
  }
  return (
    <span className="k-input">
      <input
        id={id}
        type={field.type === 'date' ? 'date' : 'text'}
        inputMode={field.type === 'number' || field.type === 'money' ? 'decimal' : undefined}
        maxLength={1000}
        value={value}
        onChange={({ target }) => set(target.value)}
      />
      {field.type === 'money' && <small>{t('workflow.yuan')}</small>}
    </span>
  )
}
