// Fields shared by the login page and the session dialog: password and captcha.

import { type KeyboardEvent, type ReactNode, type Ref, useState } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Eye20Regular, EyeOff20Regular } from '../../kit/icons.ts'
import { captchaSize, type useCaptcha } from './use-captcha.ts'

interface PasswordFieldProps {
  /** Its label. Default: password. */
  readonly label?: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly problem: string | undefined
  readonly placeholder?: string | undefined
  readonly autoFocus?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A password field that can reveal its text, with a Caps Lock warning. */
export function PasswordField({
  label,
  value,
  onChange,
  problem,
  placeholder,
  autoFocus,
  ref,
}: PasswordFieldProps): ReactNode {
  const t = useT()
  const [capsLock, setCapsLock] = useState(false)
  const [visible, setVisible] = useState(false)
  const watch = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <TextField
      ref={ref}
      name="password"
      size="large"
      label={label ?? t('login.password')}
      type={visible ? 'text' : 'password'}
      autoComplete="current-password"
      maxLength={1000}
      autoFocus={autoFocus}
      placeholder={placeholder}
      value={value}
      problem={problem}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={watch}
      onKeyUp={watch}
      onBlur={() => setCapsLock(false)}
      after={
        <>
          {capsLock && (
            <span className="caps-lock" role="status">
              {t('login.capsLock')}
            </span>
          )}
          <IconButton
            size="small"
            label={t(visible ? 'login.hidePassword' : 'login.showPassword')}
            icon={visible ? <EyeOff20Regular /> : <Eye20Regular />}
            onClick={() => setVisible(!visible)}
          />
        </>
      }
    />
  )
}

interface CaptchaFieldProps {
  readonly captcha: ReturnType<typeof useCaptcha>
  readonly problem: string | undefined
}

/** The captcha picture and its input; nothing unless the server requires a captcha. */
export function CaptchaField({ captcha, problem }: CaptchaFieldProps): ReactNode {
  const t = useT()
  if (captcha.url === undefined) return null
  return (
    <div className="captcha">
      <TextField
        size="large"
        name="captcha"
        label={t('login.captcha')}
        placeholder={t('login.captchaHint')}
        autoComplete="off"
        maxLength={20}
        autoFocus
        value={captcha.text}
        problem={problem}
        help={t('login.captchaDue')}
        onChange={(event) => captcha.setText(event.target.value)}
      />
      <img src={captcha.url} {...captchaSize} alt={t('login.captchaPicture')} />
      <Button kind="link" onClick={captcha.renew}>
        {t('login.captchaOther')}
      </Button>
    </div>
  )
}
