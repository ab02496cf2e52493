/**
 * What well-known images do with volumes, according to their Dockerfiles and start scripts: which user they run as, where they
 * keep data, and what the directory must be like. Copies under other names are unknown.
 */
import { cleanFilePath } from "../../../engine/api/go/file-path.ts";
import { push } from "../../../engine/api/go/multi-map.ts";
import { type Environment, lastWritten } from "../../workspace/environment.ts";
import {
  type Fields,
  fieldsAt,
  itemsOf,
  listAt,
  podVolumesOf,
  textAt,
} from "../../workspace/manifest-fields.ts";
import type { ManifestObject } from "../../yaml/manifest.ts";
import { isIn, mountPathOf } from "./mounted-volumes.ts";

export interface KnownImage {
  /** As written, without the tag. */
  readonly name: string;
  /** `USER` of its Dockerfile; absent if that is root or unknown. */
  readonly uid?: number;
  /** The program that keeps data, for messages. */
  readonly program?: string;
  readonly data?: DataDirectory;
  /** It makes hard links or sets modes, which SMB shares do not support. */
  readonly wantsOwnModes?: boolean;
  /** Directories to which it writes on start with its default configuration. */
  readonly scratch?: readonly string[];
  readonly sqlite?: SqliteDatabase;
  /** A file that it keeps there by default, and rejects if the group can read it. */
  readonly cookie?: string;
  /** It removes other users' access to its data directory, and exits if it cannot: its user must own the directory. */
  readonly closesDirectory?: boolean;
}

interface DataDirectory {
  /** The environment variable that names it. */
  readonly variable?: string;
  readonly path?: string;
  /** It must be empty at first, even of `lost+found`. */
  readonly isEmptyAtFirst?: boolean;
  /**
   * `VOLUME` of its Dockerfile: containerd and Docker mount an empty directory there unless the pod mounts something at this
   * very path.
   */
  readonly declared?: string;
  /** A path at which it refuses to find a mount, unless the variable names the data directory. */
  readonly refused?: string;
}

/** The database that the program uses unless it is told to use another one. */
interface SqliteDatabase {
  readonly directory: string;
  /** Environment variables that choose another database, or SQLite. */
  readonly variables?: readonly string[];
  /** A directory of configuration files, in which a section "database" may choose another database. */
  readonly configuration?: string;
}

interface Entry extends Omit<KnownImage, "name"> {
  readonly names: readonly string[];
  /** Versions in the tag; a tag without a number is the newest version. */
  readonly from?: Version;
  readonly before?: Version;
}

type Version = readonly [major: number, minor: number];

const postgres: Omit<Entry, "names"> = {
  program: "PostgreSQL",
  // docker-entrypoint.sh: initdb, chmod 0700, chown; xlog.c links segments.
  wantsOwnModes: true,
  // initdb.c create_data_directory.
  closesDirectory: true,
  // unix_socket_directories of the image.
  scratch: ["/run/postgresql"],
};

const mysqlData: DataDirectory = { path: "/var/lib/mysql", declared: "/var/lib/mysql" };
/** For the socket and process id, and for InnoDB's temporary files. */
const mysqlScratch: readonly string[] = ["/run/mysqld", "/tmp"];

/** Publishers whose images have the same layout. */
const homeBuilders: readonly string[] = ["linuxserver", "hotio", "onedr0p", "home-operations"];

/** Sonarr and similar programs, which keep their configuration beside the database. */
const servarr: readonly Entry[] = ["lidarr", "prowlarr", "radarr", "readarr", "sonarr"].map(
  (program) => ({
    names: homeBuilders.map((builder) => `${builder}/${program}`),
    sqlite: {
      directory: "/config",
      variables: ["HOST", "_HOST"].map((end) => `${program.toUpperCase()}__POSTGRES_${end}`),
    },
  }),
);

const images: readonly Entry[] = [
  {
    ...postgres,
    names: ["postgres", "postgis/postgis", "pgvector/pgvector", "timescale/timescaledb"],
    data: {
      variable: "PGDATA",
      path: "/var/lib/postgresql/data",
      isEmptyAtFirst: true,
      declared: "/var/lib/postgresql/data",
    },
    before: [18, 0],
  },
  {
    ...postgres,
    names: ["postgres"],
    // docker-entrypoint.sh: docker_error_old_databases. Newer versions have their own number in the path.
    data: {
      variable: "PGDATA",
      path: "/var/lib/postgresql/18/docker",
      isEmptyAtFirst: true,
      declared: "/var/lib/postgresql",
      refused: "/var/lib/postgresql/data",
    },
    from: [18, 0],
  },
  {
    names: ["mysql", "percona"],
    program: "MySQL",
    // mysqld --initialize, which the start script of 5.6 does not use.
    data: { ...mysqlData, isEmptyAtFirst: true },
    scratch: mysqlScratch,
    from: [5, 7],
    before: [8, 0],
  },
  { names: ["mysql", "percona"], program: "MySQL", data: mysqlData, scratch: mysqlScratch },
  { names: ["mariadb"], program: "MariaDB", data: mysqlData, scratch: mysqlScratch },
  // Erlang's auth.erl check_cookie1; the Dockerfile sets the home directory.
  { names: ["rabbitmq"], cookie: "/var/lib/rabbitmq/.erlang.cookie" },
  {
    names: ["mongo"],
    program: "MongoDB",
    data: { path: "/data/db", declared: "/data/db" },
    // WiredTiger syncs directories, and mongod locks a file.
    wantsOwnModes: true,
  },
  {
    names: ["redis", "valkey/valkey"],
    program: "Redis",
    data: { path: "/data", declared: "/data" },
  },
  {
    names: ["apache/kafka"],
    uid: 1000,
    program: "Kafka",
    data: { variable: "KAFKA_LOG_DIRS", isEmptyAtFirst: true },
  },
  {
    names: ["confluentinc/cp-kafka", "confluentinc/cp-server"],
    uid: 1000,
    program: "Kafka",
    data: { variable: "KAFKA_LOG_DIRS", path: "/var/lib/kafka/data", isEmptyAtFirst: true },
  },
  { names: ["confluentinc/cp-zookeeper"], uid: 1000 },
  {
    names: ["grafana/grafana", "grafana/grafana-oss", "grafana/grafana-enterprise"],
    uid: 472,
    from: [6, 0],
    sqlite: {
      directory: "/var/lib/grafana",
      variables: ["GF_DATABASE_TYPE", "GF_DATABASE_URL", "GF_DATABASE_HOST"],
      configuration: "/etc/grafana",
    },
  },
  { names: ["grafana/loki"], uid: 10001, from: [2, 0] },
  { names: ["prom/prometheus", "prometheus/prometheus"], uid: 65534, from: [2, 0] },
  { names: ["prom/alertmanager", "prometheus/alertmanager"], uid: 65534 },
  { names: ["jenkins/jenkins", "jenkins/agent", "jenkins/inbound-agent"], uid: 1000 },
  { names: ["sonatype/nexus3"], uid: 200 },
  { names: ["elasticsearch", "elasticsearch/elasticsearch"], uid: 1000, from: [8, 0] },
  { names: ["opensearchproject/opensearch"], uid: 1000 },
  { names: ["dpage/pgadmin4"], uid: 5050 },
  {
    names: ["n8nio/n8n"],
    uid: 1000,
    sqlite: { directory: "/home/node/.n8n", variables: ["DB_TYPE"] },
  },
  { names: ["nodered/node-red"], uid: 1000 },
  { names: ["solr"], uid: 8983 },
  {
    names: ["louislam/uptime-kuma"],
    sqlite: { directory: "/app/data", variables: ["UPTIME_KUMA_DB_TYPE"] },
  },
  {
    names: ["vaultwarden/server"],
    sqlite: { directory: "/data", variables: ["DATABASE_URL"] },
  },
  {
    names: ["jellyfin/jellyfin", "linuxserver/jellyfin", "plexinc/pms-docker", "linuxserver/plex"],
    sqlite: { directory: "/config" },
  },
  ...servarr,
  // ngx_create_paths for the compiled-in paths; then the file with the process id.
  { names: ["nginx"], scratch: ["/var/cache/nginx", "/run"] },
  { names: ["nginxinc/nginx-unprivileged"], uid: 101, scratch: ["/tmp"] },
];

const byName = new Map<string, Entry[]>();
for (const image of images) for (const name of image.names) push(byName, name, image);

/** Undefined if the image is unknown. A tag may have PostgreSQL's version after another one. */
export function knownImageOf(container: Fields): KnownImage | undefined {
  const text = textAt(container, "image");
  if (text === undefined) return undefined;
  const { name, tag } = partsOf(text);
  if (/^bitnami(?:legacy)?\//.test(name)) return { name, uid: 1001 };
  const [, major, minor] = /(?:^|-)pg(\d+)/.exec(tag) ?? /^v?(\d+)(?:\.(\d+))?/.exec(tag) ?? [];
  const version: Version | undefined =
    major === undefined ? undefined : [Number(major), Number(minor ?? Number.POSITIVE_INFINITY)];
  const isOf = ({ from = [0, 0], before }: Entry): boolean =>
    version === undefined
      ? before === undefined
      : !isBelow(version, from) && (before === undefined || isBelow(version, before));
  const found = byName.get(name)?.find(isOf);
  return found && { ...found, name };
}

function isBelow([major, minor]: Version, [otherMajor, otherMinor]: Version): boolean {
  return major < otherMajor || (major === otherMajor && minor < otherMinor);
}

/** Without registry and digest, and without `library/`, with which mirrors of Docker Hub name official images. */
function partsOf(image: string): { readonly name: string; readonly tag: string } {
  const [named = ""] = image.split("@");
  const [, host, rest = ""] = /^(?:([^/.:]*[.:][^/]*|localhost)\/)?(.*)$/.exec(named) ?? [];
  const [path = "", tag = ""] = rest.split(":");
  const name = host === undefined ? path : path.replace(/^docker\//, "");
  return { name: name.replace(/^(?:.*\/)?library\//, ""), tag };
}

/**
 * The cleaned path of the container's data; undefined if it is unknown because of another command, arguments that may set it,
 * or a variable from an object that no file holds.
 */
export function dataDirectoryOf(
  environment: Environment,
  namespace: string,
  container: Fields,
  { data }: KnownImage,
): string | undefined {
  if (data === undefined || !startsItself(container)) return undefined;
  const named =
    data.variable === undefined ? "" : variableOf(environment, namespace, container, data.variable);
  if (named === undefined) return undefined;
  const path = named === "" ? data.path : named;
  return path === undefined ? undefined : cleanFilePath(path);
}

/** The directory of the container's SQLite database; undefined if it has none, or that is unknown. */
export function sqliteDirectoryOf(
  environment: Environment,
  object: ManifestObject,
  container: Fields,
): string | undefined {
  const { directory, variables = [], configuration } = knownImageOf(container)?.sqlite ?? {};
  if (directory === undefined || container["command"] !== undefined) return undefined;
  const namesAnother = variables.some((variable) => {
    const value = variableOf(environment, object.namespace, container, variable);
    return value !== "" && !(value ?? "").startsWith("sqlite");
  });
  const mayNameAnother = itemsOf(container["volumeMounts"], []).some(
    ({ fields }) =>
      configuration !== undefined &&
      isIn(mountPathOf(fields), configuration) &&
      mayHold(environment, object, fields, "[database]"),
  );
  return namesAnother || mayNameAnother ? undefined : directory;
}

/** True if a mount may contain the text. False only for a ConfigMap in files that does not. */
function mayHold(
  { byRef }: Environment,
  object: ManifestObject,
  mount: Fields,
  text: string,
): boolean {
  const volume = podVolumesOf(object).find(({ fields }) => fields["name"] === mount["name"]);
  const name = textAt(volume?.fields ?? {}, "configMap", "name");
  const written = lastWritten({ byRef }, "ConfigMap", object.namespace, name)?.object;
  const values = Object.values(fieldsAt(written?.value ?? {}, "data"));
  return written === undefined || values.some((value) => String(value).includes(text));
}

/** True if the image's start script runs its own program, and no argument names another program, file or directory. */
function startsItself(container: Fields): boolean {
  if (container["command"] !== undefined) return false;
  return listAt(container, "args").every((arg, i) => {
    const text = String(arg);
    if (/dir|path|conf|^-D/i.test(text)) return false;
    return i > 0 || text.startsWith("-") || servers.has(text);
  });
}

const servers: ReadonlySet<string> = new Set([
  "postgres",
  "mysqld",
  "mariadbd",
  "mongod",
  "redis-server",
  "valkey-server",
]);

/** True if the image's variable names the data directory, or may do so. */
export function namesDataDirectory(
  environment: Environment,
  namespace: string,
  container: Fields,
  { data }: KnownImage,
): boolean {
  const { variable } = data ?? {};
  return variable !== undefined && variableOf(environment, namespace, container, variable) !== "";
}

/** "" if it is not set; undefined if that is unknown. */
function variableOf(
  { byRef }: Environment,
  namespace: string,
  container: Fields,
  variable: string,
): string | undefined {
  for (const { fields } of itemsOf(container["env"], []))
    if (fields["name"] === variable) return textAt(fields, "value");
  for (const from of listAt(container, "envFrom")) {
    if (typeof from !== "object" || from === null) return undefined;
    const source = from as Fields;
    const kind = source["configMapRef"] === undefined ? "Secret" : "ConfigMap";
    const name = textAt(source, kind === "Secret" ? "secretRef" : "configMapRef", "name");
    const object = lastWritten({ byRef }, kind, namespace, name)?.object;
    if (object === undefined) {
      // Secrets hold passwords, not paths.
      if (kind === "Secret") continue;
      return undefined;
    }
    const key = variable.slice((textAt(source, "prefix") ?? "").length);
    const value = fieldsAt(object.value, kind === "Secret" ? "stringData" : "data")[key];
    if (typeof value === "string") return value;
  }
  return "";
}
