import { expect, test } from 'vitest'
import { type Capability, capabilitiesOf, capabilityNames, capabilityNeeds } from './capabilities.ts'

const all = new Set(capabilityNames)
const role = (external: boolean, ...names: Capability[]) => ({ external, capabilities: new Set(names) })

test('roles add to what everybody may do; a role for people from outside stands alone', () => {
  const few = new Set<Capability>(['files', 'follow'])
  expect([...capabilitiesOf(few, [])]).toEqual(['files', 'follow'])
  expect([...capabilitiesOf(few, [role(false, 'upload'), role(false)])]).toEqual(['files', 'upload', 'follow'])
  expect([...capabilitiesOf(all, [role(true, 'files')])]).toEqual(['files'])
  expect([...capabilitiesOf(all, [role(true, 'files'), role(false, 'download')])]).toEqual(['files', 'download'])
})

test('a capability counts only with what it needs, through every step', () => {
  expect([...capabilitiesOf(new Set(capabilityNames.filter((name) => name !== 'download')), [])]).not.toContain(
    'packDownload',
  )
  expect([...capabilitiesOf(new Set(capabilityNames.filter((name) => name !== 'files')), [])]).toEqual(['companyTree'])
  for (const name of capabilityNames) {
    const needed = capabilityNeeds(name)
    if (needed !== undefined) expect(capabilityNames.indexOf(needed)).toBeLessThan(capabilityNames.indexOf(name))
  }
})
