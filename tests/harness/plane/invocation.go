package plane

import (
	"context"
	"fmt"
	"net"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	authentication "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// arguments are the container's, with its paths and ports turned into those of this
// machine, and a kubeconfig with the Pod's own token in place of the service environment.
func (r *runner) arguments(ctx context.Context) ([]string, error) {
	container := r.pod.Spec.Containers[0]
	if len(container.Command) != 0 {
		return nil, fmt.Errorf("pod %s runs another program than the image's: %q", r.pod.Name, container.Command)
	}
	var arguments []string
	for _, argument := range container.Args {
		name, value, isFlag := strings.Cut(argument, "=")
		if !isFlag {
			arguments = append(arguments, argument)
			continue
		}
		arguments = append(arguments, name+"="+r.address(r.path(value)))
	}
	kubeconfig, err := r.kubeconfig(ctx)
	if err != nil || kubeconfig == "" {
		return arguments, err
	}
	return append(arguments, "--kubeconfig="+kubeconfig), nil
}

// path turns a path below a mount into the folder of its volume.
func (r *runner) path(value string) string {
	for _, mount := range r.pod.Spec.Containers[0].VolumeMounts {
		if value == mount.MountPath || strings.HasPrefix(value, mount.MountPath+"/") {
			return path.Join(r.volume(mount.Name), mount.SubPath, strings.TrimPrefix(value, mount.MountPath))
		}
	}
	return value
}

// address turns ":9443" into the address that stands for it.
func (r *runner) address(value string) string {
	digits, found := strings.CutPrefix(value, ":")
	number, err := strconv.ParseInt(digits, 10, 32)
	if !found || err != nil || r.ports[int32(number)] == 0 {
		return value
	}
	return net.JoinHostPort(r.kubelet.ip, strconv.Itoa(r.ports[int32(number)]))
}

// port is this machine's port for one that a probe or a Service names.
func (r *runner) port(target intstr.IntOrString) (int, error) {
	for _, port := range r.pod.Spec.Containers[0].Ports {
		if port.Name == target.StrVal && port.Name != "" || port.ContainerPort == target.IntVal {
			return r.ports[port.ContainerPort], nil
		}
	}
	return 0, fmt.Errorf("pod %s has no port %s", r.pod.Name, target.String())
}

// kubeconfig holds the token of the Pod's ServiceAccount, so that the chart's RBAC is what
// the process may do; "" where the Pod mounts no token.
func (r *runner) kubeconfig(ctx context.Context) (string, error) {
	mounted := false
	for _, volume := range r.pod.Spec.Volumes {
		mounted = mounted || strings.HasPrefix(volume.Name, tokenVolume)
	}
	if !mounted {
		return "", nil
	}
	day := int64(24 * 60 * 60)
	request, err := r.kubelet.client.CoreV1().ServiceAccounts(r.pod.Namespace).CreateToken(ctx,
		r.pod.Spec.ServiceAccountName, &authentication.TokenRequest{Spec: authentication.TokenRequestSpec{
			ExpirationSeconds: &day,
			BoundObjectRef: &authentication.BoundObjectReference{
				Kind: "Pod", APIVersion: "v1", Name: r.pod.Name, UID: r.pod.UID,
			},
		}}, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("request token: %w", err)
	}
	token := filepath.Join(r.dir, "token")
	if err := os.WriteFile(token, []byte(request.Status.Token), 0o600); err != nil {
		return "", err
	}
	file := filepath.Join(r.dir, "kubeconfig")
	return file, writeKubeconfig(file, r.kubelet.server, r.kubelet.ca, byToken(token))
}

// environment is the container's, and no variable more.
func (r *runner) environment() ([]string, error) {
	var environment []string
	container := r.pod.Spec.Containers[0]
	for _, variable := range container.Env {
		value := r.path(variable.Value)
		if source := variable.ValueFrom; source != nil {
			var err error
			if value, err = r.sourced(source, container); err != nil {
				return nil, fmt.Errorf("variable %s: %w", variable.Name, err)
			}
		}
		environment = append(environment, variable.Name+"="+value)
	}
	return environment, nil
}

func (r *runner) sourced(source *corev1.EnvVarSource, container corev1.Container) (string, error) {
	if field := source.FieldRef; field != nil {
		known := map[string]string{
			"metadata.name": r.pod.Name, "metadata.namespace": r.pod.Namespace,
			"status.podIP": r.kubelet.ip, "spec.serviceAccountName": r.pod.Spec.ServiceAccountName,
		}
		if value, found := known[field.FieldPath]; found {
			return value, nil
		}
		return "", fmt.Errorf("field %s is not played here", field.FieldPath)
	}
	if field := source.ResourceFieldRef; field != nil {
		if name, found := strings.CutPrefix(field.Resource, "limits."); found {
			limit := container.Resources.Limits[corev1.ResourceName(name)]
			return strconv.FormatInt(limit.Value(), 10), nil
		}
	}
	return "", fmt.Errorf("a value from elsewhere is not played here")
}
