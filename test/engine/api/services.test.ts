import assert from "node:assert/strict";
import { storedObject } from "../../../src/engine/api/stored-object.ts";
import { create, field, patchStored, refusal, replace } from "./answer.ts";

const service = (spec: string, ports = "[{ port: 80 }]"): string => `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { ports: ${ports}, ${spec} }`;

const answerTo = (spec: string, ports?: string): string => refusal(create(service(spec, ports)));

suite("Services", () => {
  test("a headless one cannot be reached from outside", () => {
    assert.equal(answerTo("clusterIP: None"), "accepted");
    assert.equal(
      answerTo("clusterIP: None, type: LoadBalancer"),
      "spec.clusterIPs[0]: Invalid value: \"None\": may not be set to 'None' for LoadBalancer services",
    );
  });

  test("one that was stored before there were lists of addresses and families has them", () => {
    const read = (spec: object): unknown => {
      const metadata = { name: "web", uid: "u", resourceVersion: "1" };
      const answer = storedObject({ apiVersion: "v1", kind: "Service", metadata, spec });
      assert.ok(answer.ok && answer.object.kind === "Service");
      const { clusterIPs, ipFamilies, ipFamilyPolicy } = answer.object.spec ?? {};
      return { clusterIPs, ipFamilies, ipFamilyPolicy };
    };
    const ports = [{ port: 80 }];
    assert.deepEqual(read({ ports, clusterIP: "10.96.7.7" }), {
      clusterIPs: ["10.96.7.7"],
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
    });
    assert.deepEqual(read({ ports, clusterIP: "fd00::7" }), {
      clusterIPs: ["fd00::7"],
      ipFamilies: ["IPv6"],
      ipFamilyPolicy: "SingleStack",
    });
    assert.deepEqual(read({ ports, clusterIP: "None" }), {
      clusterIPs: ["None"],
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "RequireDualStack",
    });
    const both = {
      clusterIPs: ["10.96.7.7", "fd00::7"],
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "PreferDualStack",
    };
    assert.deepEqual(read({ ports, clusterIP: "10.96.7.7", ...both }), both);
    const named = { type: "ExternalName", externalName: "example.com" };
    assert.deepEqual(read(named), {
      clusterIPs: undefined,
      ipFamilies: undefined,
      ipFamilyPolicy: undefined,
    });
  });

  test("annotations agree with each other and with the type", () => {
    const annotated = (annotations: string, spec = ""): string =>
      refusal(
        create(service(spec).replace("name: web", `name: web, annotations: { ${annotations} }`)),
      );
    assert.equal(
      annotated(
        "service.kubernetes.io/topology-mode: Auto, service.kubernetes.io/topology-aware-hints: auto",
      ),
      'metadata.annotations[service.kubernetes.io/topology-mode]: Invalid value: "Auto": must match annotations[service.kubernetes.io/topology-aware-hints] when both are specified',
    );
    const ranges = "service.beta.kubernetes.io/load-balancer-source-ranges";
    assert.equal(
      annotated(`${ranges}: ' 10.0.0.0/8, 1.2.3.0/24'`, "type: LoadBalancer"),
      "accepted",
    );
    assert.equal(
      annotated(`${ranges}: 10.0.0.0`),
      [
        `metadata.annotations[${ranges}]: Forbidden: may only be used when \`type\` is 'LoadBalancer'`,
        `metadata.annotations[${ranges}]: Invalid value: "10.0.0.0": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
      ].join("\n"),
    );
  });

  test("one that is looked after keeps the port where it is asked how it is", () => {
    const watched = (port: number): string =>
      service(`type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: ${port}`);
    assert.equal(refusal(replace(watched(30_000), watched(30_000))), "accepted");
    assert.equal(
      refusal(replace(watched(30_000), watched(30_001))),
      "spec.healthCheckNodePort: Forbidden: field is immutable",
    );
  });

  test("an update tells of a class of load balancers before the rest, and again with it", () => {
    const balanced = (spec: string): string => service(`type: LoadBalancer, ${spec}`);
    const prefix = 'spec.loadBalancerClass: Invalid value: "/b": prefix part must be non-empty';
    const other = replace(balanced("loadBalancerClass: a/b"), balanced("loadBalancerClass: /b"));
    const changed = 'spec.loadBalancerClass: Invalid value: "/b": may not change once set';
    assert.equal(refusal(other), [changed, prefix, prefix].join("\n"));
    const unused =
      "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'";
    const none = replace(service(""), service("loadBalancerClass: a/b, sessionAffinity: Maybe"));
    const affinity =
      'spec.sessionAffinity: Unsupported value: "Maybe": supported values: "ClientIP", "None"';
    assert.equal(refusal(none), [unused, affinity, unused].join("\n"));
  });

  test("what a new type has no use for goes, unless it is changed", () => {
    const ports = (nodePort: string): string => `[{ port: 80, ${nodePort} }]`;
    const balancing = service(
      "type: LoadBalancer, loadBalancerClass: a/b, externalTrafficPolicy: Local, healthCheckNodePort: 30001",
      ports("nodePort: 30000"),
    );
    const written =
      "clusterIP: 10.96.0.0, clusterIPs: [10.96.0.0], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, loadBalancerClass: a/b, externalTrafficPolicy: Local, healthCheckNodePort: 30001, allocateLoadBalancerNodePorts: true";
    const internal = replace(balancing, service(written, ports("nodePort: 30000")));
    assert.deepEqual(field(internal, "spec"), {
      clusterIP: "10.96.0.0",
      clusterIPs: ["10.96.0.0"],
      internalTrafficPolicy: "Cluster",
      ipFamilies: ["IPv4"],
      ipFamilyPolicy: "SingleStack",
      ports: [{ port: 80, protocol: "TCP", targetPort: 80 }],
      sessionAffinity: "None",
      type: "ClusterIP",
    });
    assert.equal(
      refusal(replace(balancing, service(written, ports("nodePort: 30002")))),
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    );
    const name = "type: ExternalName, externalName: db";
    const named = replace(
      service(""),
      service(`${name}, clusterIP: 10.96.0.0, clusterIPs: [10.96.0.0]`),
    );
    assert.equal(field(named, "spec.clusterIP"), undefined);
    assert.equal(field(replace(service(name), service("")), "spec.clusterIP"), "10.96.0.0");
  });

  test("ports of nodes stay with the ports that have their names", () => {
    const listed = replace(
      service(
        "type: NodePort",
        "[{ name: a, port: 80, nodePort: 30000 }, { name: b, port: 81, nodePort: 30001 }]",
      ),
      service(
        "type: NodePort",
        "[{ name: b, port: 82 }, { name: c, port: 80, nodePort: 30000 }, { name: a, port: 83 }]",
      ),
    );
    const ports = field(listed, "spec.ports") as { readonly nodePort?: number }[];
    assert.deepEqual(
      ports.map(({ nodePort }) => nodePort),
      [30_001, 30_000, undefined],
    );
  });

  test("ports of nodes can be given up where the service does not want them", () => {
    const balancing = (allocate: boolean, ports: string): string =>
      service(`type: LoadBalancer, allocateLoadBalancerNodePorts: ${allocate}`, ports);
    const given =
      "[{ name: a, port: 80, nodePort: 30000 }, { name: b, port: 81, nodePort: 30001 }]";
    const kept = (allocate: boolean): readonly unknown[] => {
      const left = "[{ name: a, port: 80, nodePort: 30000 }, { name: b, port: 81 }]";
      const answer = replace(balancing(allocate, given), balancing(allocate, left));
      const ports = field(answer, "spec.ports") as { readonly nodePort?: number }[];
      return ports.map(({ nodePort }) => nodePort);
    };
    assert.deepEqual(kept(true), [30_000, 30_001]);
    assert.deepEqual(kept(false), [30_000, undefined]);
  });

  test("one that stands for a name has that name and no address", () => {
    assert.equal(answerTo("type: ExternalName"), "spec.externalName: Required value");
    assert.equal(answerTo("type: ExternalName, externalName: db.example.com."), "accepted");
    const forbidden = "spec.clusterIPs: Forbidden: may not be set for ExternalName services";
    const named = "type: ExternalName, externalName: db";
    for (const address of ["clusterIPs: [10.0.0.1]", "clusterIP: 10.0.0.1", "clusterIP: None"])
      assert.equal(answerTo(`${named}, ${address}`), forbidden);
    assert.equal(answerTo(`${named}, clusterIP: ""`), "accepted");
    assert.equal(
      refusal(replace(service(named), service(`${named}, clusterIP: 10.0.0.1`))),
      forbidden,
    );
  });

  test("two families need a policy that allows them, and the first address tells the first", () => {
    const refused = (what: string): string =>
      `spec.ipFamilyPolicy: Invalid value: "SingleStack": must be 'RequireDualStack' or 'PreferDualStack' when multiple ${what} are specified`;
    for (const policy of ["", "ipFamilyPolicy: SingleStack, "]) {
      assert.equal(answerTo(`${policy}ipFamilies: [IPv4, IPv6]`), refused("IP families"));
      assert.equal(
        answerTo(`${policy}clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, 'fd00::1']`),
        refused("cluster IPs"),
      );
    }
    const familiesOf = (spec: string): unknown => field(create(service(spec)), "spec.ipFamilies");
    assert.deepEqual(familiesOf("ipFamilyPolicy: PreferDualStack, ipFamilies: [IPv6, IPv4]"), [
      "IPv6",
      "IPv4",
    ]);
    assert.deepEqual(familiesOf("clusterIP: 'fd00::1'"), ["IPv6"]);
    assert.deepEqual(familiesOf("ipFamilies: [IPv6]"), ["IPv6"]);
    assert.deepEqual(familiesOf("clusterIP: None, ipFamilies: [IPv6]"), ["IPv6", "IPv4"]);
    const single = "clusterIP: None, ipFamilyPolicy: SingleStack";
    assert.deepEqual(familiesOf(single), ["IPv4"]);
    const both = service("clusterIP: None, ipFamilies: [IPv4, IPv6]");
    assert.deepEqual(field(replace(both, service(single)), "spec.ipFamilies"), ["IPv4"]);
    assert.equal(
      answerTo("ipFamilyPolicy: RequireDualStack, ipFamilies: [IPv6, IPv6]"),
      'spec.ipFamilies[1]: Duplicate value: "IPv6"',
    );
  });

  test("addresses are of two families, the first is the service's own, and outside ones lead somewhere", () => {
    assert.equal(
      answerTo("clusterIP: 10.0.0.1, clusterIPs: [10.0.0.2]"),
      'spec.clusterIPs: Invalid value: ["10.0.0.2"]: first value must match `clusterIP`',
    );
    assert.equal(
      answerTo("clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, 10.0.0.2]"),
      'spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family',
    );
    assert.equal(
      answerTo("externalIPs: [1.2.3.4, 127.0.0.1, 0.0.0.0, 'fe80::1', x]"),
      [
        'spec.externalIPs[1]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[2]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
        'spec.externalIPs[3]: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
        'spec.externalIPs[4]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ].join("\n"),
    );
    assert.equal(
      field(create(service("externalIPs: [1.2.3.4]")), "spec.externalTrafficPolicy"),
      "Cluster",
    );
  });

  test("no address stands alone, addresses are two at most, and of the families that are named", () => {
    const invalid = (list: string, detail: string): string =>
      `spec.clusterIPs: Invalid value: [${list}]: ${detail}`;
    assert.equal(
      answerTo("clusterIP: None, clusterIPs: [None, 10.0.0.1]"),
      invalid('"None","10.0.0.1"', "'None' must be the first and only value"),
    );
    assert.equal(
      answerTo(
        "ipFamilyPolicy: RequireDualStack, clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1, 'fd00::1', 10.0.0.2]",
      ),
      invalid('"10.0.0.1","fd00::1","10.0.0.2"', "may only hold up to 2 values"),
    );
    assert.equal(
      answerTo("clusterIP: 10.0.0.1, ipFamilies: [IPv6]"),
      'spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`',
    );
  });

  test("several ports have names, and each port of the nodes is one's", () => {
    assert.equal(
      answerTo("type: NodePort", "[{ port: 80 }, { port: 81, name: b }]"),
      "spec.ports[0].name: Required value",
    );
    const forbidden = "Forbidden: may not be used when `type` is 'ClusterIP'";
    assert.equal(
      answerTo(
        "type: ClusterIP",
        "[{ name: a, port: 80, nodePort: 30080 }, { name: b, port: 81, nodePort: 30080 }]",
      ),
      [
        `spec.ports[0].nodePort: ${forbidden}`,
        `spec.ports[1].nodePort: ${forbidden}`,
        "spec.ports[1].nodePort: Duplicate value: 30080",
      ].join("\n"),
    );
  });

  test("what only load balancers and node ports have", () => {
    assert.equal(
      answerTo(
        "loadBalancerSourceRanges: [10.0.0.0/8, ' 10/8 '], loadBalancerClass: a.example/b, allocateLoadBalancerNodePorts: false, externalTrafficPolicy: Local, healthCheckNodePort: 30000",
        "[{ port: 80, nodePort: 30080 }]",
      ),
      [
        "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
        "spec.LoadBalancerSourceRanges: Forbidden: may only be used when `type` is 'LoadBalancer'",
        'spec.LoadBalancerSourceRanges[1]: Invalid value: "10/8": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
        "spec.allocateLoadBalancerNodePorts: Forbidden: may only be used when `type` is 'LoadBalancer'",
        "spec.loadBalancerClass: Forbidden: may only be used when `type` is 'LoadBalancer'",
        'spec.externalTrafficPolicy: Invalid value: "Local": may only be set for externally-accessible services',
        "spec.healthCheckNodePort: Invalid value: 30000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ].join("\n"),
    );
    assert.equal(
      answerTo(
        "type: NodePort",
        "[{ name: a, port: 80, nodePort: 30080 }, { name: b, port: 81, nodePort: 30080 }]",
      ),
      "spec.ports[1].nodePort: Invalid value: 30080: provided port is already allocated",
    );
  });

  test("ports of one number get the node port that one of them names", () => {
    const ports = "[{ name: a, port: 53 }, { name: b, port: 53, protocol: UDP, nodePort: 30053 }]";
    const nodePorts = (spec: string): unknown =>
      [0, 1].map((index) => field(create(service(spec, ports)), `spec.ports.${index}.nodePort`));
    assert.deepEqual(nodePorts("type: NodePort"), [30_053, 30_053]);
    const none = "type: LoadBalancer, allocateLoadBalancerNodePorts: false";
    assert.deepEqual(nodePorts(none), [undefined, 30_053]);
  });

  test("node ports are allocated before anything else is looked at", () => {
    const answer = (ports: string): string => answerTo("type: NodePort", ports);
    assert.equal(
      answer("[{ name: a, port: 0, nodePort: 30080 }, { name: a, port: 81, nodePort: 30080 }]"),
      "spec.ports[1].nodePort: Invalid value: 30080: provided port is already allocated",
    );
    const dns = "{ name: a, port: 53, nodePort: 30053 }, { name: b, port: 53, protocol: UDP";
    assert.equal(answer(`[${dns}, nodePort: 30053 }]`), "accepted");
    assert.equal(
      answer(`[${dns} }, { name: c, port: 54, nodePort: 30053 }]`),
      "spec.ports[2].nodePort: Invalid value: 30053: provided port is already allocated",
    );
    // The first port of a number asks for what any of them names.
    const between = "[{ name: a, port: 53 }, { name: c, port: 54, nodePort: 30053 }";
    const dnsOverTcp = "{ name: b, port: 53, protocol: UDP, nodePort: 30053 }]";
    assert.equal(
      answer(`${between}, ${dnsOverTcp}`),
      "spec.ports[1].nodePort: Invalid value: 30053: provided port is already allocated",
    );
    const none = "type: LoadBalancer, allocateLoadBalancerNodePorts: false";
    assert.equal(
      answerTo(none, `${between}, ${dnsOverTcp}`),
      "spec.ports[2].nodePort: Invalid value: 30053: provided port is already allocated",
    );
    assert.equal(
      answer(`[${dns}, nodePort: 30054 }, { name: c, port: 54, nodePort: 30054 }]`),
      "spec.ports[2].nodePort: Invalid value: 30054: provided port is already allocated",
    );
  });

  test("how long a client stays with a pod", () => {
    const seconds = (value: number): string =>
      answerTo(
        `sessionAffinity: ClientIP, sessionAffinityConfig: { clientIP: { timeoutSeconds: ${value} } }`,
      );
    assert.equal(seconds(86_400), "accepted");
    assert.equal(
      seconds(86_401),
      "spec.sessionAffinityConfig.clientIP.timeoutSeconds: Invalid value: 86401: must be greater than 0 and less than 86400",
    );
  });

  test("who stays with no pod is not told for how long", () => {
    const config = "sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } }";
    const answer = create(service(`sessionAffinity: None, ${config}`));
    assert.equal(field(answer, "spec.sessionAffinityConfig"), undefined);
  });

  test("an address is kept", () => {
    assert.equal(
      refusal(replace(service("clusterIP: 10.0.0.1"), service("clusterIP: 10.0.0.2"))),
      'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
    );
  });

  test("addresses that were stored before there was a rule against them stay", () => {
    const before = service(
      "type: LoadBalancer, clusterIP: 010.0.0.1, clusterIPs: [010.0.0.1], ipFamilies: [IPv4], ipFamilyPolicy: SingleStack, sessionAffinity: None, externalIPs: [01.2.3.4, 127.0.0.01], loadBalancerSourceRanges: [' 10.0.0.1/8']",
      "[{ port: 80, protocol: TCP }]",
    );
    const change = (spec: string): string => refusal(patchStored(before, `spec: { ${spec} }`));
    const loopback =
      'spec.externalIPs[1]: Invalid value: "127.0.0.01": may not be in the loopback range (127.0.0.0/8, ::1/128)';
    assert.equal(change("externalTrafficPolicy: Cluster"), loopback);
    assert.equal(
      change("externalIPs: [01.2.3.4], loadBalancerSourceRanges: [10.0.0.1/8]"),
      "accepted",
    );
    assert.equal(
      change("externalIPs: [1.2.3.04], loadBalancerSourceRanges: [10.0.0.2/8]"),
      [
        'spec.externalIPs[0]: Invalid value: "1.2.3.04": must not have leading 0s',
        'spec.LoadBalancerSourceRanges[0]: Invalid value: "10.0.0.2/8": must not have bits set beyond the prefix length',
      ].join("\n"),
    );
  });

  test("a list of addresses follows the address, unless it is changed itself", () => {
    const repeated = (spec: string): string =>
      refusal(replace(service("clusterIP: 10.0.0.1"), service(spec)));
    assert.equal(
      repeated("clusterIP: None, clusterIPs: [10.0.0.1]"),
      'spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set',
    );
    assert.equal(repeated("clusterIPs: []"), "accepted");
    assert.equal(
      repeated("clusterIP: 10.0.0.2, clusterIPs: [10.0.0.3]"),
      'spec.clusterIPs: Invalid value: ["10.0.0.3"]: first value must match `clusterIP`',
    );
  });

  test("what cannot be allocated is refused before anything else is looked at", () => {
    const noAddress =
      'spec.clusterIPs[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';
    assert.equal(answerTo("clusterIP: x", "[{ port: 0 }]"), noAddress);
    assert.equal(refusal(replace(service("clusterIP: None"), service("clusterIP: x"))), noAddress);
  });
});

suite("ConfigMaps and Secrets", () => {
  const large = "x".repeat(1_048_577);

  test("hold a megabyte", () => {
    const configMap = (text: string): string =>
      `{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: "${text}" } }`;
    assert.equal(refusal(create(configMap(large.slice(1)))), "accepted");
    assert.equal(
      refusal(create(configMap(large))),
      "[]: Too long: may not be more than 1048576 bytes",
    );
    assert.equal(
      refusal(
        create(
          `{ apiVersion: v1, kind: Secret, metadata: { name: s }, stringData: { a: "${large}" } }`,
        ),
      ),
      "data: Too long: may not be more than 1048576 bytes",
    );
  });

  test("an empty key of SSH is none", () => {
    assert.equal(
      refusal(
        create(
          '{ apiVersion: v1, kind: Secret, metadata: { name: s }, type: kubernetes.io/ssh-auth, stringData: { ssh-privatekey: "" } }',
        ),
      ),
      "data[ssh-privatekey]: Required value",
    );
  });

  test("no key leads out of the folder that it becomes a file of", () => {
    const answer = (key: string): string =>
      refusal(
        create(`{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { "${key}": x } }`),
      );
    assert.equal(answer("..a"), "data[..a]: Invalid value: \"..a\": must not start with '..'");
    assert.equal(answer(".."), "data[..]: Invalid value: \"..\": must not be '..'");
    assert.equal(answer("."), "data[.]: Invalid value: \".\": must not be '.'");
  });

  test("text and bytes do not share a key", () => {
    assert.equal(
      refusal(
        create(
          "{ apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { a: x }, binaryData: { a: eA== } }",
        ),
      ),
      'data[a]: Invalid value: "a": duplicate of key present in binaryData',
    );
  });

  test("who is logged in by name says one of name and password", () => {
    const answer = (data: string): string =>
      refusal(
        create(
          `{ apiVersion: v1, kind: Secret, metadata: { name: s }, type: kubernetes.io/basic-auth, stringData: { ${data} } }`,
        ),
      );
    assert.equal(answer("password: p"), "accepted");
    assert.equal(
      answer("user: u"),
      "data[username]: Required value\ndata[password]: Required value",
    );
  });

  test("a token is of an account", () => {
    assert.equal(
      refusal(
        create(
          "{ apiVersion: v1, kind: Secret, metadata: { name: s }, type: kubernetes.io/service-account-token }",
        ),
      ),
      "metadata.annotations[kubernetes.io/service-account.name]: Required value",
    );
  });

  test("what a registry is logged in to with has to be a JSON object", () => {
    const answerTo = (config: string): string => {
      const data = JSON.stringify({ ".dockerconfigjson": config });
      return refusal(
        create(
          `{ apiVersion: v1, kind: Secret, metadata: { name: s }, type: kubernetes.io/dockerconfigjson, stringData: ${data} }`,
        ),
      );
    };
    const refused = (why: string): string =>
      `data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": ${why}`;
    const accepted = [
      "{}",
      ' {"auths": {"a.io": {"auth": "\\u00e9\\n", "n": [-0.5e+3, 10, true, [], {}]}}}\n',
      "null",
    ];
    for (const config of accepted) assert.equal(answerTo(config), "accepted", config);
    const errors: readonly (readonly [config: string, why: string])[] = [
      ["", "unexpected end of JSON input"],
      ['{"auths": {', "unexpected end of JSON input"],
      ['{"a": "b', "unexpected end of JSON input"],
      ["<config>", "invalid character '<' looking for beginning of value"],
      ["{auths: {}}", "invalid character 'a' looking for beginning of object key string"],
      ["{'a': 1}", "invalid character '\\'' looking for beginning of object key string"],
      ['{"a" "b"}', "invalid character '\"' after object key"],
      ['{"a": 1 "b": 2}', "invalid character '\"' after object key:value pair"],
      ['{"a": [1 2]}', "invalid character '2' after array element"],
      ['{"a": 1,}', "invalid character '}' looking for beginning of object key string"],
      ["{} {}", "invalid character '{' after top-level value"],
      ['{"a": "\t"}', "invalid character '\\t' in string literal"],
      ['{"a": "\\x"}', "invalid character 'x' in string escape code"],
      ['{"a": "\\u12g4"}', "invalid character 'g' in \\u hexadecimal character escape"],
      ['{"a": tru}', "invalid character '}' in literal true (expecting 'e')"],
      ['{"a": -x}', "invalid character 'x' in numeric literal"],
      ['{"a": 1.}', "invalid character '}' after decimal point in numeric literal"],
      ['{"a": 1e}', "invalid character '}' in exponent of numeric literal"],
      ["{é}", "invalid character 'Ã' looking for beginning of object key string"],
      ["[".repeat(10_001), "invalid character '[' exceeded max depth"],
      ["[{}]", "json: cannot unmarshal array into Go value of type map[string]interface {}"],
      ['"a"', "json: cannot unmarshal string into Go value of type map[string]interface {}"],
      ["-1", "json: cannot unmarshal number into Go value of type map[string]interface {}"],
      ["true", "json: cannot unmarshal bool into Go value of type map[string]interface {}"],
    ];
    for (const [config, why] of errors) assert.equal(answerTo(config), refused(why), config);
  });

  test("a service account is looked at as a whole when it is replaced", () => {
    const account = (metadata: string): string =>
      `{ apiVersion: v1, kind: ServiceAccount, metadata: { name: a, ${metadata} } }`;
    const lines = refusal(replace(account(""), account("labels: { a: b c }"))).split("\n");
    assert.equal(lines.length, 4);
  });
});
