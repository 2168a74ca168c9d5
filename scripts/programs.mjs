// System programs that tests use: a NATS server, a PostgreSQL connection pooler, load balancers, LibreOffice, ClamAV,
// OpenLDAP, Samba, PHP.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Path of a program, if there is one; the variable overrides it. */
function find(name, variable) {
  // Debian installs it in a folder that is not on a user's PATH.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/bin']
  return [process.env[variable], ...folders.map((folder) => join(folder, name))].find(
    (path) => path && existsSync(path),
  )
}

export const findNats = () => find('nats-server', 'NATS_SERVER')
export const findPooler = () => find('pgbouncer', 'PGBOUNCER')
export const findNginx = () => find('nginx', 'NGINX')
export const findOffice = () => find('soffice', 'SOFFICE')
export const findTesseract = () => find('tesseract', 'TESSERACT')
export const findPoppler = () => find('pdftotext', 'PDFTOTEXT')
export const findHaproxy = () => find('haproxy', 'HAPROXY')
export const findRclone = () => find('rclone', 'RCLONE')
export const findClamd = () => find('clamd', 'CLAMD')
export const findSlapd = () => find('slapd', 'SLAPD')
export const findSamba = () => find('samba', 'SAMBA')
export const findPhp = () => find('php', 'PHP')

/** The folder of SimpleSAMLphp, if it and PHP are there. */
export const findSimpleSaml = () =>
  findPhp() && [process.env.SIMPLESAML, '/usr/share/simplesamlphp'].find((path) => path && existsSync(`${path}/www`))
