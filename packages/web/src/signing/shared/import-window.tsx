// Imports a certificate with its key from a PKCS#12 file, for the user or for the company.

import { type ReactNode, useRef, useState } from 'react'
import { api, CallError } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { toast } from '../../core/toast/toast.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Certificate20Regular } from '../../kit/icons.ts'
import { refetchSigning } from './sign-queries.ts'
import './external-window.css'

export interface SignImportProps {
  readonly whose: 'mine' | 'company'
}

const largest = 64 * 1024

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

export function SignImport({ whose, close, setDirty }: WindowProps<SignImportProps, boolean>): ReactNode {
  const t = useT()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const isLarge = file !== undefined && file.size > largest
  const save = async (): Promise<void> => {
    if (file === undefined) return
    setBusy(true)
    setProblem('')
    try {
      const asked = { file: await base64Of(file), password }
      if (whose === 'mine') await api.importMySignCertificate(asked, { quiet: true })
      else await api.importSignCertificate(asked, { quiet: true })
      setDirty(false)
      toast({ kind: 'success', text: t('sign.import.done') })
      refetchSigning()
      close(true)
    } catch (failure) {
      setProblem(failure instanceof CallError ? failure.message : t('sign.failed'))
      setBusy(false)
    }
  }
  return (
    <form
      className="sg-outside"
      onSubmit={(event) => {
        event.preventDefault()
        if (file !== undefined && !isLarge && !busy) void save()
      }}
    >
      <div className="sg-outside-body">
        <p>{t(whose === 'mine' ? 'sign.import.mine.note' : 'sign.import.company.note')}</p>
        <input
          ref={input}
          type="file"
          accept=".p12,.pfx,application/x-pkcs12"
          hidden
          onChange={({ target }) => {
            setFile(target.files?.[0])
            setProblem('')
            setDirty(true)
            target.value = ''
          }}
        />
        <div className="sg-file-row">
          <Button icon={<Certificate20Regular />} onClick={() => input.current?.click()}>
            {t('sign.import.file')}
          </Button>
          <span>{file === undefined ? t('sign.import.noFile') : isolated(file.name)}</span>
        </div>
        {isLarge && (
          <small className="sg-problem" role="alert">
            {t('sign.import.large')}
          </small>
        )}
        <TextField
          label={t('sign.import.password')}
          type="password"
          autoComplete="off"
          maxLength={200}
          value={password}
          onChange={({ target }) => {
            setPassword(target.value)
            setProblem('')
          }}
        />
        {problem !== '' && (
          <small className="sg-problem" role="alert">
            {problem}
          </small>
        )}
        <p>{t('sign.import.note')}</p>
      </div>
      <DialogFooter>
        <Button onClick={() => close()}>{t('sign.cancel')}</Button>
        <Button kind="primary" type="submit" disabled={busy || file === undefined || isLarge}>
          {t('sign.import.do')}
        </Button>
      </DialogFooter>
    </form>
  )
}
