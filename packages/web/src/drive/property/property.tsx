// The property window of a file or folder: details, log and versions (938x580, [R077], [R187]).
import type { ItemRecord } from '@cloudoc/contract'
import { formatSize, type LogBitName } from '@cloudoc/domain'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { api } from '../../core/call/api.ts'
import { useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import type { WindowProps } from '../../core/windows/index.ts'
import { FileIcon, FolderIcon } from '../../items/item/file-icon.tsx'

import { extOf, isFolder, keyOf } from '../../items/item/item.ts'

import { Button } from '../../kit/button.tsx'
import { DialogFooter } from '../../kit/dialog.tsx'
import { TabPanel } from '../../kit/tab-panel.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import type { VersionPair } from '../../viewing/compare/comparable.ts'
import { DetailTab } from './detail-tab.tsx'
import { LogTab } from './log-tab.tsx'
import { VersionCompare } from './version-compare.tsx'
import { untilThinned } from './version-operations.ts'
import { VersionsTab } from './versions-tab.tsx'
import './property.css'

export type PropertyTab = 'version' | 'log' | 'detail'

export interface PropertyWindowProps {
  readonly item: ItemRecord
  readonly tab?: PropertyTab
  /** Two versions to compare initially. */
  readonly pair?: VersionPair
}

export function PropertyWindow({
  item: opened,
  tab: first,
  pair: compared,
  close,
}: WindowProps<PropertyWindowProps>): ReactNode {
  const t = useT()
  const id = useId()
  const folder = isFolder(opened)
  const tabs: readonly PropertyTab[] = folder ? ['detail', 'log'] : ['version', 'log', 'detail']
  const [tab, setTab] = useState<PropertyTab>(first !== undefined && tabs.includes(first) ? first : (tabs[0] ?? 'log'))
  const [pair, setPair] = useState(compared)
  const { data } = useQuery({
    queryKey: ['drive', 'property', keyOf(opened)],
    queryFn: () =>
      folder
        ? api.of(opened).getFolderInfo({ folderId: opened.fId }, { quiet: true })
        : api.of(opened).getFileInfo({ fileId: opened.fId }, { quiet: true }),
    staleTime: 0,
  })
  const item = data ?? opened
  const { data: versions } = useQuery({
    queryKey: ['drive', 'versions', keyOf(item), 'count', item.version],
    queryFn: () => api.of(opened).getVersionList({ fileId: item.fId, from: 0, rows: 1 }, { quiet: true }),
    enabled: !folder,
    staleTime: 0,
    refetchInterval: ({ state }) => untilThinned(state.data),
  })
  const [kinds, setKinds] = useState<readonly LogBitName[]>([])
  const counted = (one: PropertyTab): string =>
    one === 'version' && versions !== undefined ? ` ${versions.total}` : ''
  if (pair !== undefined)
    return (
      <div className="dr-property">
        <VersionCompare
          item={item}
          pair={pair}
          onPair={setPair}
          onBack={() => setPair(undefined)}
          onClose={() => close()}
        />
      </div>
    )
  const about = [
    folder ? '' : formatSize(item.fileSize),
    isolated(item.lastOperatorName),
    folder ? '' : t('drive.info.version', { n: item.version }),
    item.secretName,
    item.pathString.split('/').filter(Boolean).map(isolated).join(' › '),
  ]
  return (
    <div className="dr-property">
      <header className="dr-property-head">
        {folder ? <FolderIcon size={40} /> : <FileIcon ext={extOf(item)} size={40} />}
        <div>
          <h3 title={item.fName}>{item.fName}</h3>
          <p>{about.filter(Boolean).join(' · ')}</p>
        </div>
      </header>
      <Tabs
        id={id}
        label={t('property.title')}
        tabs={tabs.map((one) => ({ tab: one, text: t(`property.tab.${one}`) + counted(one) }))}
        chosen={tab}
        onChoose={(one) => {
          setKinds([])
          setTab(one)
        }}
        className="dr-property-tabs"
      />
      <TabPanel id={id} chosen={tab} className="dr-property-body">
        {tab === 'version' && (
          <VersionsTab
            item={item}
            onCompare={setPair}
            onLog={() => {
              setKinds(['delete'])
              setTab('log')
            }}
          />
        )}
        {tab === 'log' && <LogTab item={item} first={kinds} />}
        {tab === 'detail' && <DetailTab item={item} />}
      </TabPanel>
      <DialogFooter>
        <span className="dr-property-note">{tab !== 'detail' && t(`property.note.${tab}`)}</span>
        <Button onClick={() => close()}>{t('drive.close')}</Button>
      </DialogFooter>
    </div>
  )
}
