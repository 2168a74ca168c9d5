// The window cloudoc-tag ([R236]) manages the user's own tags and the company tags: names, colours and deletion.

import type { Tag } from '@cloudoc/contract'
import { limits, type TagColour } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { TagDot } from '../../items/labels/tag-chip.tsx'
import { Button, IconButton } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Add16Regular, Delete16Regular } from '../../kit/icons.ts'
import { ColourPalette, useTags } from './tag-field.tsx'
import { TagName } from './tag-name.tsx'
import { type CountedTag, changeTag, removeTag, tryTagChange, useMayEditCompanyTags } from './tag-operations.ts'
import './tags.css'

export function ManageTags({ close }: WindowProps<object>): ReactNode {
  const t = useT()
  const mayKeepCompany = useMayEditCompanyTags()
  const { data, isError, refetch } = useTags('')
  const own = (data?.list ?? []).filter(({ company }) => !company)
  const company = (data?.list ?? []).filter((tag) => tag.company)
  const rows = (tags: readonly CountedTag[], mayChange: boolean): ReactNode => (
    <ul className="dr-tag-rows">
      {tags.map((tag) => (
        <Row
          key={tag.tagId}
          tag={tag}
          {...(mayChange && { onChange: (to) => changeTag(tag, to), onRemove: () => void removeTag(tag) })}
        />
      ))}
    </ul>
  )
  return (
    <>
      <DialogBody>
        {isError && (
          <p className="dr-tag-hint">
            {t('tags.failed')}{' '}
            <Button kind="link" size="small" onClick={() => void refetch()}>
              {t('drive.retry')}
            </Button>
          </p>
        )}
        <h3 className="dr-tag-head">{t('tags.mine')}</h3>
        <NewTag onMake={(tag) => tryTagChange(() => api.saveTag(tag))} />
        {data !== undefined && own.length === 0 && <p className="dr-tag-hint">{t('tags.noneOwn')}</p>}
        {rows(own, true)}
        {(company.length > 0 || mayKeepCompany) && <h3 className="dr-tag-head">{t('tags.ofCompany')}</h3>}
        {mayKeepCompany && <NewTag onMake={(tag) => tryTagChange(() => api.saveCompanyTag(tag))} />}
        {rows(company, mayKeepCompany)}
      </DialogBody>
      <DialogFooter>
        <Button onClick={() => close()}>{t('drive.close')}</Button>
      </DialogFooter>
    </>
  )
}

interface RowProps {
  readonly tag: CountedTag
  readonly onChange?: (to: Partial<Pick<Tag, 'tagName' | 'colour'>>) => Promise<boolean>
  readonly onRemove?: () => void
}

function Row({ tag, onChange, onRemove }: RowProps): ReactNode {
  const t = useT()
  const [isNaming, setNaming] = useState(false)
  const [isColouring, setColouring] = useState(false)
  return (
    <li>
      <button
        type="button"
        className="dr-tag-colour"
        disabled={onChange === undefined}
        aria-label={t('tags.colourOf', { name: tag.tagName })}
        aria-expanded={isColouring}
        onClick={() => setColouring(!isColouring)}
      >
        <TagDot colour={tag.colour} />
      </button>
      {isColouring ? (
        <ColourPalette
          value={tag.colour}
          onChange={(colour: TagColour) => {
            setColouring(false)
            void onChange?.({ colour })
          }}
        />
      ) : !isNaming ? (
        <button
          type="button"
          className="dr-tag-name"
          disabled={onChange === undefined}
          title={onChange && t('tags.rename', { name: tag.tagName })}
          onClick={() => setNaming(true)}
        >
          {tag.tagName}
        </button>
      ) : (
        <TagName tag={tag} onChange={(tagName) => void onChange?.({ tagName })} onEnd={() => setNaming(false)} />
      )}
      <small>{t('drive.items', { n: tag.count })}</small>
      {onRemove !== undefined && (
        <IconButton
          size="small"
          label={t('tags.deleteOne', { name: tag.tagName })}
          icon={<Delete16Regular />}
          onClick={onRemove}
        />
      )}
    </li>
  )
}

function NewTag({
  onMake,
}: {
  readonly onMake: (tag: Pick<Tag, 'tagName' | 'colour'>) => Promise<boolean>
}): ReactNode {
  const t = useT()
  const [name, setName] = useState('')
  const [colour, setColour] = useState<TagColour>('blue')
  return (
    <form
      className="dr-tag-new"
      onSubmit={(event) => {
        event.preventDefault()
        const tagName = name.trim()
        if (tagName === '') return
        void onMake({ tagName, colour }).then((made) => made && setName(''))
      }}
    >
      <TextField
        label={t('tags.name')}
        value={name}
        maxLength={limits.longestTag}
        onChange={(event) => setName(event.target.value)}
      />
      <ColourPalette value={colour} onChange={setColour} />
      <Button type="submit" icon={<Add16Regular />} disabled={name.trim() === ''}>
        {t('tags.add')}
      </Button>
    </form>
  )
}
