// Libraries, folders, other lists of items, and the search.
import { formatSize } from '@cloudoc/domain'
import { type ReactNode, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { api } from '../core/call/api.ts'
import { type PlainTextKey, useT } from '../core/i18n/i18n.ts'
import { evaluate, rules } from '../items/actions/actions.ts'
import { useActionContext } from '../items/actions/use-action-context.ts'
import { FolderIcon } from '../items/item/file-icon.tsx'
import type { Sorting, SortKey } from '../items/lists/folder-list.ts'
import { folderName, useFolder, useRoots } from '../items/lists/folder-queries.ts'
import { favoritesOf, itemMade, listOf, recentOf, searchOf, sharedOf } from '../items/lists/lists.ts'
import { Button, IconButton } from '../kit/button.tsx'
import {
  Add28Regular,
  ArrowSort24Regular,
  Camera24Regular,
  DocumentArrowUp24Regular,
  FolderAdd24Regular,
  Search24Regular,
} from '../kit/icons.ts'
import { Spinner } from '../kit/spinner.tsx'
import { StatePage } from '../kit/state-page.tsx'
import { chosenFiles } from '../transfer/engine/dropped-files.ts'
import { upload } from '../transfer/tasks/uploads.ts'
import { home, MobilePage } from './frame.tsx'
import { folderAddress, ItemRows } from './item-rows.tsx'
import { MenuSheet, NameSheet } from './sheet.tsx'

function SearchButton({ folderId }: { readonly folderId?: number }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  return (
    <IconButton
      label={t('mobile.search')}
      icon={<Search24Regular />}
      onClick={() => void navigate(folderId === undefined ? '/m/search' : `/m/search?folderId=${folderId}`)}
    />
  )
}

/** The libraries of the person. */
export function Libraries(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const roots = useRoots()
  return (
    <MobilePage title={t('mobile.files')} tools={<SearchButton />}>
      {roots.isPending ? (
        <Spinner />
      ) : roots.isError ? (
        <StatePage title={t('mobile.failed')} text={roots.error.message}>
          <Button kind="primary" onClick={() => void roots.refetch()}>
            {t('mobile.retry')}
          </Button>
        </StatePage>
      ) : (
        <ul className="m-items" aria-label={t('mobile.libraries')}>
          {roots.data.map(({ fId, fName }) => (
            <li key={fId}>
              <button
                type="button"
                className="m-item"
                onClick={() => void navigate(folderAddress({ serverId: 0, fId }))}
              >
                <span className="m-item-icon">
                  <FolderIcon size={40} />
                </span>
                <span className="m-item-words">
                  <span className="m-item-name">
                    <span>{fName}</span>
                  </span>
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </MobilePage>
  )
}

const sorts: readonly SortKey[] = ['name', 'time', 'size', 'type']

/** A folder. */
export function Folder(): ReactNode {
  const { serverId = '0', folderId = '0' } = useParams()
  return <FolderShown key={`${serverId} ${folderId}`} serverId={Number(serverId)} folderId={Number(folderId)} />
}

function FolderShown({ serverId, folderId }: { readonly serverId: number; readonly folderId: number }): ReactNode {
  const t = useT()
  const info = useFolder({ serverId, fId: folderId })
  const [chosen, setSorting] = useState<Sorting>()
  const sorting: Sorting = chosen ?? { sort: info.data?.sort ?? 'name', order: info.data?.order ?? 'asc' }
  const [sheet, setSheet] = useState<'sort' | 'add' | 'folder'>()
  const close = (): void => setSheet(undefined)
  const context = useActionContext()
  const camera = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const folder = info.data?.folder
  const { sort, order } = sorting
  const list = useMemo(
    () => listOf({ serverId, folderId, sort, order, keyword: '', foldersOnly: false }),
    [serverId, folderId, sort, order],
  )
  const ancestors = info.data?.ancestors.filter(({ fId }) => fId > 0) ?? []
  const above = ancestors.at(-1)
  const mayAdd = folder !== undefined && evaluate(rules.upload, [folder], context).enabled
  const send = (input: HTMLInputElement): void => {
    if (input.files === null || folder === undefined) return
    void upload(chosenFiles(input.files), { serverId, folderId, folderName: folderName(folder) })
    input.value = ''
  }
  return (
    <MobilePage
      title={folder === undefined ? '' : folderName(folder)}
      above={ancestors.map(({ fName }) => fName).join(' › ')}
      back={above === undefined ? home : folderAddress(above)}
      tools={
        <>
          <SearchButton folderId={folderId} />
          <IconButton label={t('mobile.sort')} icon={<ArrowSort24Regular />} onClick={() => setSheet('sort')} />
        </>
      }
    >
      {info.isError ? (
        <StatePage title={t('mobile.failed')} text={info.error.message}>
          <Button onClick={() => void info.refetch()}>{t('mobile.retry')}</Button>
        </StatePage>
      ) : (
        <ItemRows
          list={list}
          module="files"
          folder={folder}
          counted={t(`mobile.sort.${sort}`)}
          empty={
            <StatePage title={t('mobile.empty')} text={mayAdd ? t('mobile.emptyHint') : undefined}>
              {mayAdd && (
                <>
                  <Button kind="primary" onClick={() => camera.current?.click()}>
                    {t('mobile.photo')}
                  </Button>
                  <Button onClick={() => files.current?.click()}>{t('mobile.choose')}</Button>
                </>
              )}
            </StatePage>
          }
        />
      )}
      {mayAdd && (
        <button type="button" className="m-add" aria-label={t('mobile.add')} onClick={() => setSheet('add')}>
          <Add28Regular />
        </button>
      )}
      <input
        ref={camera}
        type="file"
        accept="image/*,video/*"
        capture="environment"
        hidden
        aria-label={t('mobile.photo')}
        onChange={({ target }) => send(target)}
      />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={t('mobile.choose')}
        onChange={({ target }) => send(target)}
      />
      {sheet === 'sort' && (
        <MenuSheet
          title={t('mobile.sort')}
          onClose={close}
          entries={sorts.map((one) => ({
            id: one,
            label: t(`mobile.sort.${one}`),
            checked: one === sort,
            run: () =>
              setSorting({
                sort: one,
                order:
                  one === sort ? (order === 'asc' ? 'desc' : 'asc') : one === 'name' || one === 'type' ? 'asc' : 'desc',
              }),
          }))}
        />
      )}
      {sheet === 'add' && (
        <MenuSheet
          title={t('mobile.add')}
          onClose={close}
          entries={[
            { id: 'photo', label: t('mobile.photo'), icon: <Camera24Regular />, run: () => camera.current?.click() },
            {
              id: 'choose',
              label: t('mobile.choose'),
              icon: <DocumentArrowUp24Regular />,
              run: () => files.current?.click(),
            },
            { id: 'folder', label: t('mobile.newFolder'), icon: <FolderAdd24Regular />, run: () => setSheet('folder') },
          ]}
        />
      )}
      {sheet === 'folder' && (
        <NameSheet
          title={t('mobile.newFolder')}
          label={t('mobile.folderName')}
          button={t('mobile.create')}
          start=""
          onClose={close}
          onName={async (name) => {
            const { item } = await api
              .of({ serverId })
              .folderCreate({ parentId: folderId, folderName: name }, { quiet: true })
            if (item !== undefined) itemMade(item)
          }}
        />
      )}
    </MobilePage>
  )
}

const lists = {
  favorite: { title: 'mobile.favorites', list: () => favoritesOf() },
  recent: { title: 'mobile.recent', list: () => recentOf('history', { keyword: '' }) },
  shared: { title: 'mobile.shared', list: () => sharedOf('theirs', '') },
} as const satisfies Record<string, { title: PlainTextKey; list: () => ReturnType<typeof favoritesOf> }>

/** Another list of items: favorites, what was opened last, what others share. */
export function OtherList({ kind }: { readonly kind: keyof typeof lists }): ReactNode {
  const t = useT()
  const { title } = lists[kind]
  const rows = useMemo(() => lists[kind].list(), [kind])
  return (
    <MobilePage title={t(title)} back="/m/me" tools={<SearchButton />}>
      <ItemRows list={rows} module={kind} empty={<StatePage title={t('mobile.nothing')} />} />
    </MobilePage>
  )
}

/** The search in names and contents. */
export function SearchPage(): ReactNode {
  const t = useT()
  const [query, setQuery] = useSearchParams()
  const [keyword, setKeyword] = useState(query.get('q') ?? '')
  const sought = useDeferredValue(keyword.trim())
  const within = Number(query.get('folderId') ?? 0)
  const list = useMemo(() => searchOf({ keyword: sought, ...(within > 0 && { folderId: within }) }), [sought, within])
  return (
    <MobilePage title={t('mobile.search')} back={within > 0 ? `/m/files/0/${within}` : home}>
      <input
        type="search"
        className="m-search"
        aria-label={t('mobile.searchFor')}
        placeholder={t('mobile.searchFor')}
        // biome-ignore lint/a11y/noAutofocus: the page was opened to type here
        autoFocus
        maxLength={200}
        value={keyword}
        onChange={({ target }) => setKeyword(target.value)}
        onBlur={() => setQuery((before) => ({ ...Object.fromEntries(before), q: keyword }), { replace: true })}
      />
      {sought === '' ? (
        <p className="m-hint">{t('mobile.searchHint')}</p>
      ) : (
        <ItemRows
          key={sought}
          list={list}
          module="search"
          empty={<StatePage title={t('mobile.nothingFound')} text={t('mobile.nothingFoundHint')} />}
        />
      )}
    </MobilePage>
  )
}

/** Used and available space in words. */
export const spaceText = (used: number, most: number): string =>
  most === 0 ? formatSize(used) : `${formatSize(used)} / ${formatSize(most)}`
