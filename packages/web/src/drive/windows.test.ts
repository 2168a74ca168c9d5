// What the addresses of the windows of this area name.
import { expect, it } from 'vitest'
import { driveWindows } from './windows.ts'

const named = async (query: string) => (await driveWindows.previewer.fromQuery?.(new URLSearchParams(query)))?.fileInfo

// [R063] The address of the previewer needs serverId, fId, fType and itemIdStr, which must name one file.
it('[R063] the previewer opens what all four fields name, and no file where one is missing or names another', async () => {
  expect(await named('serverId=0&fType=1&fId=5&itemIdStr=s0f5')).toEqual({ serverId: 0, fId: 5 })
  expect(await named('serverId=7&fType=1&fId=5&itemIdStr=s7f5&version=3')).toEqual({ serverId: 7, fId: 5, version: 3 })
  const none = { serverId: 0, fId: 0 }
  for (const query of [
    'fId=5',
    'itemIdStr=s0f5',
    'fType=1&fId=5&itemIdStr=s0f5',
    'serverId=0&fId=5&itemIdStr=s0f5',
    'serverId=0&fType=1&itemIdStr=s0f5',
    'serverId=0&fType=1&fId=5',
    'serverId=7&fType=1&fId=5&itemIdStr=s0f5',
    'serverId=0&fType=1&fId=6&itemIdStr=s0f5',
    'serverId=0&fType=2&fId=5&itemIdStr=s0d5',
  ])
    expect([query, await named(query)]).toEqual([query, none])
})
