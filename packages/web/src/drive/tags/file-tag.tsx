// The window cloudoc-file-tag ([R236]): the tags of one or several items. Changes are applied on save.
import type { ItemRecord, Tag } from '@cloudoc/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { openWindow, type WindowProps } from '../../core/windows/index.ts'
import { mark } from '../../items/actions/operations.ts'
import { EllipsizedName } from '../../items/item/ellipsized-name.tsx'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'
import { extOf, isFolder, keyOf } from '../../items/item/item.ts'
import { onTagsChanged, readTags } from '../../items/labels/item-tags.ts'
import { TagDot } from '../../items/labels/tag-chip.tsx'
import { Button } from '../../kit/button.tsx'
import { DialogBody, DialogFooter } from '../../kit/dialog.tsx'
import { Settings16Regular } from '../../kit/icons.ts'
import { type AppliedTag, TagField, useTags } from './tag-field.tsx'
import './tags.css'

type Named = Pick<ItemRecord, 'serverId' | 'fId' | 'fType' | 'fName'>
export interface FileTagProps {
  readonly items: readonly Named[]
}

/** The maximum number of items that the window names, and the number of items whose tags are requested at once. */
const mostNamed = 3
const atOnce = 200

/** The choice for a tag: on all items, or on none. */
type Choice = { readonly tag: Omit<AppliedTag, 'on'>; readonly on: boolean }
const nameOf = ({ tagName }: { readonly tagName: string }): string => tagName.toLowerCase()

export function FileTag({ items, close, setDirty }: WindowProps<FileTagProps, boolean>): ReactNode {
  const t = useT()
  const [choices, setChoices] = useState<ReadonlyMap<string, Choice>>(new Map())
  const [busy, setBusy] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['drive', 'tags', 'of', items.map(keyOf).join()],
    queryFn: async () => {
      const found = new Map<string, readonly Tag[]>()
      for (let at = 0; at < items.length; at += atOnce)
        for (const [key, tags] of await readTags(items.slice(at, at + atOnce))) found.set(key, tags)
      return found
    },
    staleTime: 0,
    gcTime: 0,
  })
  const suggestions = useTags('')
  const worn = appliedTagsOf(items.length, data?.values() ?? [], choices)
  const choose = (tag: Omit<AppliedTag, 'on'>, on: boolean): void => {
    setChoices(new Map([...choices, [nameOf(tag), { tag, on }]]))
    setDirty(true)
  }
  const wornNames = new Set(worn.map(nameOf))
  const offered = (suggestions.data?.list ?? []).filter((tag) => !wornNames.has(nameOf(tag))).slice(0, 12)
  const save = async (): Promise<void> => {
    setBusy(true)
    if (await saveTags(items, [...choices.values()])) close(true)
    else setBusy(false)
  }
  return (
    <>
      <DialogBody>
        <div className="dr-tag-items">
          {items.slice(0, mostNamed).map((item) => (
            <span key={keyOf(item)}>
              {isFolder(item) ? <FolderIcon size={16} /> : <FileIcon ext={extOf(item)} size={16} />}
              <EllipsizedName name={item.fName} isFolder={isFolder(item)} />
            </span>
          ))}
          {items.length > mostNamed && <small>{t('drive.andMore', { n: items.length - mostNamed })}</small>}
        </div>
        {error !== null ? (
          <p className="dr-tag-hint">
            {t('tags.failed')}{' '}
            <Button kind="link" size="small" onClick={() => void refetch()}>
              {t('drive.retry')}
            </Button>
          </p>
        ) : (
          <TagField
            worn={worn}
            count={items.length}
            onAdd={(tag) => choose(tag, true)}
            onRemove={(tag) => choose(tag, false)}
          />
        )}
        {worn.some(({ on }) => on < items.length) && <p className="dr-tag-hint">{t('tags.partHint')}</p>}
        {offered.length > 0 && (
          <div className="dr-tag-offers">
            <small>{t('tags.suggested')}</small>
            <div className="dr-label-row is-wrapped">
              {offered.map((tag) => (
                <button
                  key={tag.tagId}
                  type="button"
                  className="dr-label is-large is-offer"
                  onClick={() => choose(tag, true)}
                >
                  <TagDot colour={tag.colour} />
                  <span className="dr-label-name">{tag.tagName}</span>
                  {tag.count > 0 && <small>{tag.count}</small>}
                </button>
              ))}
            </div>
          </div>
        )}
      </DialogBody>
      <DialogFooter>
        <Button
          kind="ghost"
          className="dr-tag-manage"
          icon={<Settings16Regular />}
          onClick={() => void openWindow('cloudoc-tag', {})}
        >
          {t('tags.manage')}
        </Button>
        <Button onClick={() => close()}>{t('drive.cancel')}</Button>
        <Button kind="primary" disabled={busy || choices.size === 0} onClick={() => void save()}>
          {items.length === 1 ? t('tags.save') : t('tags.saveMany', { n: items.length })}
        </Button>
      </DialogFooter>
    </>
  )
}

/** Returns the resulting tags of the items, with the number of items for each. */
function appliedTagsOf(
  count: number,
  ofItems: Iterable<readonly Tag[]>,
  choices: ReadonlyMap<string, Choice>,
): readonly AppliedTag[] {
  const found = new Map<string, AppliedTag>()
  for (const tags of ofItems)
    for (const tag of tags) found.set(nameOf(tag), { ...tag, on: (found.get(nameOf(tag))?.on ?? 0) + 1 })
  for (const [name, { tag, on }] of choices) {
    if (on) found.set(name, { ...tag, on: count })
    else found.delete(name)
  }
  return [...found.values()]
}

/** Adds and removes tags of items. Reports refusals, and returns false if nothing was changed. */
async function saveTags(items: readonly Named[], choices: readonly Choice[]): Promise<boolean> {
  const added = choices.filter(({ on }) => on).map(({ tag }) => tag)
  const input = {
    addTags: added.flatMap(({ tagId, tagName, colour }) => (tagId === undefined ? [{ tagName, colour }] : [])),
    addTagIds: added.flatMap(({ tagId }) => tagId ?? []),
    removeTagIds: choices.flatMap(({ on, tag }) => (on ? [] : (tag.tagId ?? []))),
  }
  const done = await mark(
    items,
    ({ fileIdArray, folderIdArray }, on) => on.setItemTags({ fileIdArray, folderIdArray, ...input }),
    {
      done: (n) => say('tags.saved', { n }),
      failed: (n, reason) => say('tags.notSaved', { n, reason }),
    },
    onTagsChanged,
  )
  return done > 0
}
