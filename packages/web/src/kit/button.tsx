import type { ButtonHTMLAttributes, ReactNode } from 'react'
import './button.css'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'ghost' | 'danger' | 'link'
  readonly size?: 'small' | 'large'
  readonly icon?: ReactNode
}

/** A button with text. Its default type does not submit forms. */
export function Button({ kind, size, icon, children, className, type = 'button', ...rest }: ButtonProps): ReactNode {
  const looks = ['k-button', kind && `is-${kind}`, size && `is-${size}`, className]
  return (
    <button {...rest} type={type} className={looks.filter(Boolean).join(' ')}>
      {icon}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'aria-label'> {
  /** The name of the button, shown as its tooltip. */
  readonly label: string
  /** The shortcut, shown after the name in the tooltip. */
  readonly hint?: string
  readonly icon: ReactNode
  readonly size?: 'small'
  /** Drawn as pressed. */
  readonly pressed?: boolean
}

/** A button with an icon only. */
export function IconButton({ label, hint, icon, size, pressed, className, type, ...rest }: IconButtonProps): ReactNode {
  const looks = ['k-icon-button', size && `is-${size}`, className]
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      className={looks.filter(Boolean).join(' ')}
      aria-label={label}
      aria-pressed={pressed}
      data-tip={label}
      data-tip-hint={hint}
    >
      {icon}
    </button>
  )
}
