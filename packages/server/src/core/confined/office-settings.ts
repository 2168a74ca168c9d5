/**
 * Settings of LibreOffice that forbid, whatever a document requests: macros, links to other files and locations, and
 * updates of either. `DisableActiveContent` is not set: with it LibreOffice draws no charts.
 */
const settings = {
  'org.openoffice.Office.Common/Security/Scripting': {
    MacroSecurityLevel: 3,
    DisableMacrosExecution: true,
    BlockUntrustedRefererLinks: true,
  },
  'org.openoffice.Office.Writer/Content/Update': { Link: 2 },
  'org.openoffice.Office.Calc/Content/Update': { Link: 2 },
}

/** The settings as a profile of LibreOffice stores them (`registrymodifications.xcu`). */
export function officeSettings(): string {
  const items = Object.entries(settings).flatMap(([path, values]) =>
    Object.entries(values).map(
      ([name, value]) =>
        `<item oor:path="/${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
    ),
  )
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">',
    ...items,
    '</oor:items>',
  ].join('\n')
}
