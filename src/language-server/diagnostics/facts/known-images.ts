/**
 * What well-known images do with volumes, as their Dockerfiles and start scripts say: as whom they run, where they keep data,
 * and what they want of the directory. Nothing is known of copies under other names.
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
  /** As it is written, without its tag. */
  readonly name: string;
  /** Of `USER` in its Dockerfile; absent where that is root, or nobody has looked. */
  readonly uid?: number;
  /** Of the program that keeps data, for messages. */
  readonly program?: string;
  readonly data?: DataDirectory;
  /** It makes hard links and sets modes, which no SMB share has. */
  readonly wantsOwnModes?: boolean;
  /** Where it makes files as it starts, with the configuration that it brings along. */
  readonly scratch?: readonly string[];
  readonly sqlite?: SqliteDatabase;
  /** A file that it keeps where nobody names another, and takes only while no group may read it. */
  readonly cookie?: string;
  /** It closes its data directory to others, and ends where it may not: the directory has to be its user's own. */
  readonly closesDirectory?: boolean;
}

interface DataDirectory {
  /** The environment variable that names it. */
  readonly variable?: string;
  readonly path?: string;
  /** It has to be empty at first, without `lost+found` too. */
  readonly isEmptyAtFirst?: boolean;
  /** Of `VOLUME` in its Dockerfile: containerd and Docker mount something empty there unless the pod mounts something at this very path. */
  readonly declared?: string;
  /** Where it refuses to start with something mounted, as long as no variable names the directory. */
  readonly refused?: string;
}

/** Which the program keeps unless it is told to use another database. */
interface SqliteDatabase {
  readonly directory: string;
  /** Environment variables that name another one, or SQLite. */
  readonly variables?: readonly string[];
  /** A directory of configuration, in which a section "database" may name another one. */
  readonly configuration?: string;
}

interface Entry extends Omit<KnownImage, "name"> {
  readonly names: readonly string[];
  /** Versions of the tag; a tag without a number is the newest. */
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
/** Of the socket and the process id, and of InnoDB's temporary files. */
const mysqlScratch: readonly string[] = ["/run/mysqld", "/tmp"];

/** Builders of images that lay them out alike. */
const homeBuilders: readonly string[] = ["linuxserver", "hotio", "onedr0p", "home-operations"];

/** Sonarr and its like, whose configuration lies beside the database. */
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
  // Erlang's auth.erl check_cookie1, of the home directory that the Dockerfile names.
  { names: ["rabbitmq"], cookie: "/var/lib/rabbitmq/.erlang.cookie" },
  {
    names: ["mongo"],
    program: "MongoDB",
    data: { path: "/data/db", declared: "/data/db" },
    // WiredTiger syncs directories, and mongod takes its lock from the file system.
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
  // ngx_create_paths of the compiled-in paths, then the file with its process id.
  { names: ["nginx"], scratch: ["/var/cache/nginx", "/run"] },
  { names: ["nginxinc/nginx-unprivileged"], uid: 101, scratch: ["/tmp"] },
];

const byName = new Map<string, Entry[]>();
for (const image of images) for (const name of image.names) push(byName, name, image);

/** Undefined where nothing is known of the container's image. A tag may tell the version of PostgreSQL behind another one. */
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

/** Without registry and digest, and without what ends in `library/`, as Docker Hub's official images are called in copies of it. */
function partsOf(image: string): { readonly name: string; readonly tag: string } {
  const [named = ""] = image.split("@");
  const [, host, rest = ""] = /^(?:([^/.:]*[.:][^/]*|localhost)\/)?(.*)$/.exec(named) ?? [];
  const [path = "", tag = ""] = rest.split(":");
  const name = host === undefined ? path : path.replace(/^docker\//, "");
  return { name: name.replace(/^(?:.*\/)?library\//, ""), tag };
}

/**
 * Where the container keeps its data, cleaned; undefined where nobody can tell: another command, arguments that may say it, a
 * variable from an object that no file holds.
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

/** Where a container of the object keeps a database of SQLite; undefined where it keeps none, or nobody can tell. */
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

/** Whether a text may stand in what is mounted: only of a ConfigMap that is written somewhere it is known that it does not. */
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

/** Whether the image's own start script runs, and its program with what it finds: no other program, file or directory is named. */
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

/** Whether a variable that the image knows names the directory, or may. */
export function namesDataDirectory(
  environment: Environment,
  namespace: string,
  container: Fields,
  { data }: KnownImage,
): boolean {
  const { variable } = data ?? {};
  return variable !== undefined && variableOf(environment, namespace, container, variable) !== "";
}

/** "" where it is not set; undefined where it may be. */
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
      // A Secret has passwords.
      if (kind === "Secret") continue;
      return undefined;
    }
    const key = variable.slice((textAt(source, "prefix") ?? "").length);
    const value = fieldsAt(object.value, kind === "Secret" ? "stringData" : "data")[key];
    if (typeof value === "string") return value;
  }
  return "";
}
