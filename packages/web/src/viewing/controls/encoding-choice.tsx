// The encoding of a text that does not state it: what it is read in, and the choice of another one.
import { type DecodedText, type TextEncodingName, textEncodings } from '@cloudoc/domain'
import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { Select } from '../../kit/select.tsx'
import '../shared/texts.ts'
import './encoding-choice.css'

interface EncodingChoiceProps {
  readonly text: Pick<DecodedText, 'encoding' | 'hasErrors' | 'isGuess'>
  readonly disabled?: boolean
  readonly onChange: (encoding: TextEncodingName) => void
}

/** Offers the other encodings of a text; renders nothing if its encoding is certain. */
export function EncodingChoice({ text, disabled = false, onChange }: EncodingChoiceProps): ReactNode {
  const t = useT()
  if (!text.isGuess) return null
  return (
    <div className="pv-encoding">
      <Select
        label={t('drive.preview.encoding')}
        showLabel
        size="small"
        disabled={disabled}
        value={text.encoding}
        options={textEncodings.map((value) => ({ value, label: t(`drive.preview.names.${value}`) }))}
        onChange={onChange}
      />
      {text.hasErrors && <span role="status">{t('drive.preview.notDecoded')}</span>}
    </div>
  )
}
