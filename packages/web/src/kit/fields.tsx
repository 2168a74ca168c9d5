// Form fields: native controls with the design tokens.
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import './fields.css'

export interface TextFieldProps extends Omit<ComponentPropsWithRef<'input'>, 'size'> {
  readonly label: string
  /** The validation error, shown below the field and announced to screen readers. */
  readonly problem?: string | undefined
  /** A hint below the field. */
  readonly help?: string | undefined
  readonly size?: 'large'
  /** Shown inside the field, after the text. */
  readonly after?: ReactNode
}

/** A one-line text field with a label. */
export function TextField({ label, problem, help, size, after, className, ...input }: TextFieldProps): ReactNode {
  const id = useId()
  const note = problem ?? help
  const looks = ['k-field', size && `is-${size}`, className]
  return (
    <div className={looks.filter(Boolean).join(' ')}>
      <label htmlFor={id}>{label}</label>
      <div className={`k-input${problem === undefined ? '' : ' is-wrong'}${input.disabled ? ' is-off' : ''}`}>
        <input
          spellCheck={false}
          {...input}
          id={id}
          aria-invalid={problem !== undefined}
          aria-describedby={
            [note !== undefined && `${id}-note`, input['aria-describedby']].filter(Boolean).join(' ') || undefined
          }
        />
        {after}
      </div>
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={problem === undefined ? 'k-help' : 'k-problem'}
          role={problem === undefined ? undefined : 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  )
}

export interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'type'> {
  readonly label: ReactNode
}

/** A checkbox with a label. */
export function Checkbox({ label, className, ...input }: CheckboxProps): ReactNode {
  return (
    <label className={['k-checkbox', className].filter(Boolean).join(' ')}>
      <input {...input} type="checkbox" />
      {label}
    </label>
  )
}
